//! What counters have to know of an instruction that issues. A program's few are decoded once.

/// What an instruction does to registers and memory.
#[derive(Clone, Copy)]
pub(super) struct Effects {
    raw: u32,
    /// The register that it writes.
    pub(super) register: Option<u8>,
    pub(super) loads: bool,
    pub(super) stores: bool,
}

/// Those of instructions that have been decoded.
pub(super) struct KnownEffects(Vec<Effects>);

/// Places for them: each has one, and takes it from another.
const PLACES: usize = 1024;

impl KnownEffects {
    pub(super) fn new() -> Self {
        Self(vec![Effects::new(0); PLACES])
    }

    /// Those of this word.
    #[inline]
    pub(super) fn get(&mut self, raw: u32) -> Effects {
        // Words differ mostly in registers and immediates, whose bits a product spreads.
        let place = (raw.wrapping_mul(0x9e37_79b9) >> 22) as usize % PLACES;
        if self.0[place].raw != raw {
            self.0[place] = Effects::new(raw);
        }
        self.0[place]
    }
}

impl Effects {
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
