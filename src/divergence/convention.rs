//! What functions promise one another.

use super::places::{parse, Places};

/// Where a thread has the frames of its marked functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frames {
    /// `tp` points behind the last one; the start-up code has set it.
    OnThreadPointer,
    /// `tp` is that of thread-local variables, one of which has their bytes.
    ThreadLocal,
}

/// The calling convention: RISC-V's, or what options of the compiler have made of it.
#[derive(Clone, Copy, Debug)]
pub struct Convention {
    /// Registers that a function leaves as it found them.
    pub(crate) saved: Places,
    /// Registers that may hold arguments.
    pub(crate) arguments: Places,
    /// Where frames are.
    pub(crate) frames: Frames,
}

impl Default for Convention {
    fn default() -> Self {
        Self { saved: Places::SAVED, arguments: Places::ARGUMENTS, frames: Frames::OnThreadPointer }
    }
}

impl Convention {
    /// That of code that GCC has compiled with these options: `-fcall-used-REGISTER` lets functions change a register.
    pub fn of_options<'a>(options: impl IntoIterator<Item = &'a str>) -> Self {
        let used = options.into_iter().filter_map(|option| parse(option.strip_prefix("-fcall-used-")?));
        Self { saved: Places::SAVED - used.collect(), ..Self::default() }
    }

    /// One that fits the code of any compiler: LLVM passes arguments of functions that no other file sees in temporary
    /// registers too (fastcc).
    pub fn of_any_compiler() -> Self {
        Self { arguments: Places::ARGUMENTS | Places::TEMPORARY, ..Self::default() }
    }

    /// The same where `tp` is taken, as in programs for Vortex (docs/ISA.md, section 11): a thread-local variable says where the
    /// frames are.
    #[must_use]
    pub fn with_thread_local_variables(self) -> Self {
        Self { frames: Frames::ThreadLocal, ..self }
    }

    /// Registers that a call may leave with other values.
    pub(crate) fn clobbered(self) -> Places {
        Places::REGISTERS - self.saved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_change_it() {
        let convention =
            Convention::of_options(["-O2", "-fcall-used-s1", "-fcall-used-fs11", "-fcall-used-x"]);
        // Of 63, all but sp, gp, tp and twice twelve.
        assert_eq!(Convention::default().clobbered().registers().count(), 36);
        let changed = Places::SAVED - convention.saved;
        assert_eq!(changed.registers().collect::<Vec<_>>(), [9, 59]);
        assert!(Convention::of_any_compiler().arguments.contains(28) && !convention.arguments.contains(28));
        assert!(convention.clobbered().contains(9) && !Convention::default().clobbered().contains(9));
    }
}
