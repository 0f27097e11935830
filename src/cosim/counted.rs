//! What is counted of an instruction that issues. Few are decoded again and again.

/// What it does to registers and memory.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    raw: u32,
    /// The register that it writes.
    pub(super) register: Option<u8>,
    pub(super) loads: bool,
    pub(super) stores: bool,
}

/// Instructions that have been decoded.
pub(super) struct Decoded(Vec<Counted>);

/// Places for them: each has one, and takes it from another.
const PLACES: usize = 1024;

impl Decoded {
    pub(super) fn new() -> Self {
        Self(vec![Counted::new(0); PLACES])
    }

    /// What is counted of this word.
    #[inline]
    pub(super) fn get(&mut self, raw: u32) -> Counted {
        // Words differ mostly in registers and immediates, whose bits a product spreads.
        let place = (raw.wrapping_mul(0x9e37_79b9) >> 22) as usize % PLACES;
        if self.0[place].raw != raw {
            self.0[place] = Counted::new(raw);
        }
        self.0[place]
    }
}

impl Counted {
    #[inline(never)]
    fn new(raw: u32) -> Self {
        let Some(op) = isa::decode(raw) else {
            return Self { raw, register: None, loads: false, stores: false };
        };
        // What is loaded to x0 is not, but by an atomic instruction.
        let register = op.format().rd(raw).or(Some(0).filter(|_| op.is_atomic()));
        Self {
            raw,
            register: register.map(|register| register as u8),
            loads: (op.is_load() || op.is_atomic()) && register.is_some(),
            stores: op.is_store() || op.is_atomic(),
        }
    }
}
