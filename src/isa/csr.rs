//! Control and status registers: one line a register, or a row of like registers.
//!
//! Numbers and meanings are Vortex 2.2's; those of blocks (0xCD0 to 0xCE1) are Vortex 3's, and 0xCF3 is ours. Any other
//! number is illegal.

use spec::config::CoreConfig;

/// What a read gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Read {
    /// A value fixed by configuration, core, warp and lane.
    Fixed,
    /// Always zero: registers that start-up code touches and this core does not need.
    Zero,
    /// What the program itself last made it.
    State,
    /// Depends on timing, so a functional model alone cannot predict it.
    Timing,
}

/// What a write does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Write {
    /// Stores the value of lane 0.
    Stored,
    /// Nothing.
    Ignored,
    /// Faults: bits 11 and 10 of the number are ones, which marks a read-only register
    /// (RISC-V Privileged 2.1).
    Illegal,
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Csr {
    /// Name of the first register of the row.
    pub name: &'static str,
    /// Number of the first register of the row.
    pub first: u16,
    /// Number of the last one.
    pub last: u16,
    /// Whether each lane reads its own value.
    pub per_lane: bool,
    /// What a read gives.
    pub read: Read,
    /// What a write does.
    pub write: Write,
}

/// The table, and a constant for each register of it that has a name here.
macro_rules! csrs {
    ($($(#[doc = $doc:literal])* $($constant:ident)? $name:literal $first:literal $(..= $last:literal)?
       $lane:ident $read:ident $write:ident;)*) => {
        /// Every register, by ascending number.
        pub const CSRS: &[Csr] = &[$(Csr {
            name: $name,
            first: $first,
            last: { let last = $first; $(let last = { let _ = last; $last };)? last },
            per_lane: csrs!(@ $lane),
            read: Read::$read,
            write: Write::$write,
        },)*];
        $(csrs!(@constant [$(#[doc = $doc])*] $($constant)? = $first);)*
    };
    (@ lane) => { true };
    (@ warp) => { false };
    (@constant [] = $number:literal) => {};
    (@constant [$(#[doc = $doc:literal])*] $constant:ident = $number:literal) => {
        $(#[doc = $doc])*
        pub const $constant: u16 = $number;
    };
}

csrs! {
    /// `fflags`: the floating-point exceptions of the warp so far, in any lane.
    FFLAGS             "fflags"                 0x001           warp State  Stored;
    /// `frm`: the warp's dynamic rounding mode.
    FRM                "frm"                    0x002           warp State  Stored;
    /// `fcsr`: `frm` and `fflags` together.
    FCSR               "fcsr"                   0x003           warp State  Stored;
                       "satp"                   0x180           warp Zero   Ignored;
                       "mstatus"                0x300           warp Zero   Ignored;
    /// `misa`.
    MISA               "misa"                   0x301           warp Fixed  Ignored;
                       "medeleg"                0x302           warp Zero   Ignored;
                       "mideleg"                0x303           warp Zero   Ignored;
                       "mie"                    0x304           warp Zero   Ignored;
                       "mtvec"                  0x305           warp Zero   Ignored;
    /// `mscratch`: one a core; at reset the kernel's argument.
    MSCRATCH           "mscratch"               0x340           warp State  Stored;
                       "mepc"                   0x341           warp Zero   Ignored;
                       "pmpcfg0"                0x3A0           warp Zero   Ignored;
                       "pmpaddr0"               0x3B0           warp Zero   Ignored;
                       "mnstatus"               0x744           warp Zero   Ignored;
    /// `mcycle`: low half of the cycle counter.
    MCYCLE             "mcycle"                 0xB00           warp Timing Ignored;
    /// `minstret`: low half of the count of thread instructions.
    MINSTRET           "minstret"               0xB02           warp Timing Ignored;
                       "mhpmcounter3"           0xB03..=0xB1F   warp Timing Ignored;
    /// `mcycleh`: high half of the cycle counter.
    MCYCLEH            "mcycleh"                0xB80           warp Timing Ignored;
    /// `minstreth`: high half of the count of thread instructions.
    MINSTRETH          "minstreth"              0xB82           warp Timing Ignored;
                       "mhpmcounter3h"          0xB83..=0xB9F   warp Timing Ignored;
    /// `thread_id`: the lane's index.
    THREAD_ID          "vx_thread_id"           0xCC0           lane Fixed  Illegal;
    /// `warp_id`.
    WARP_ID            "vx_warp_id"             0xCC1           warp Fixed  Illegal;
    /// `core_id`.
    CORE_ID            "vx_core_id"             0xCC2           warp Fixed  Illegal;
    /// `active_warps`: mask of the core's active warps, bits 0 to 31.
    ACTIVE_WARPS       "vx_active_warps"        0xCC3           warp Timing Illegal;
    /// `active_threads`: the reading warp's lane mask.
    ACTIVE_THREADS     "vx_active_threads"      0xCC4           warp State  Illegal;
    /// `vx_cta_id`: the first of the CSRs of a grid's blocks (docs/ISA.md, section 7.1).
    CTA_ID             "vx_cta_id"              0xCD0           warp State  Illegal;
    /// `vx_cta_rank`: the warp's number in its block.
    CTA_RANK           "vx_cta_rank"            0xCD1           warp State  Illegal;
    /// `vx_cta_size`: warps of a block.
    CTA_SIZE           "vx_cta_size"            0xCD2           warp State  Illegal;
    /// `vx_cta_thread_id_x`; y and z follow it.
    CTA_THREAD_ID      "vx_cta_thread_id_x"     0xCD3           lane State  Illegal;
                       "vx_cta_thread_id_y"     0xCD4           lane State  Illegal;
                       "vx_cta_thread_id_z"     0xCD5           lane State  Illegal;
    /// `vx_cta_block_id_x`; y and z follow it.
    CTA_BLOCK_ID       "vx_cta_block_id_x"      0xCD6           warp State  Illegal;
                       "vx_cta_block_id_y"      0xCD7           warp State  Illegal;
                       "vx_cta_block_id_z"      0xCD8           warp State  Illegal;
    /// `vx_cta_block_dim_x`; y and z follow it.
    CTA_BLOCK_DIM      "vx_cta_block_dim_x"     0xCD9           warp State  Illegal;
                       "vx_cta_block_dim_y"     0xCDA           warp State  Illegal;
                       "vx_cta_block_dim_z"     0xCDB           warp State  Illegal;
    /// `vx_cta_grid_dim_x`; y and z follow it.
    CTA_GRID_DIM       "vx_cta_grid_dim_x"      0xCDC           warp State  Illegal;
                       "vx_cta_grid_dim_y"      0xCDD           warp State  Illegal;
    /// `vx_cta_grid_dim_z`: the last that tells something of a grid.
    CTA_GRID_DIM_Z     "vx_cta_grid_dim_z"      0xCDE           warp State  Illegal;
    /// `vx_cta_lmem_addr`: where a block finds its local memory.
    CTA_LMEM_ADDR      "vx_cta_lmem_addr"       0xCDF           warp Fixed  Illegal;
    /// `vx_cta_cluster_size`.
    CTA_CLUSTER_SIZE   "vx_cta_cluster_size"    0xCE0           warp Fixed  Illegal;
    /// `vx_cta_entry`: where a grid's warps start.
    CTA_ENTRY          "vx_cta_entry"           0xCE1           warp Fixed  Illegal;
    /// `upper_active_warps`: bits 32 to 63 of that mask, in cores of more than 32 warps.
    UPPER_ACTIVE_WARPS "vx_upper_active_warps"  0xCF3           warp Timing Illegal;
                       "mvendorid"              0xF11           warp Zero   Illegal;
                       "marchid"                0xF12           warp Zero   Illegal;
                       "mimpid"                 0xF13           warp Zero   Illegal;
    /// `mhartid`: core, warp and lane, concatenated.
    MHARTID            "mhartid"                0xF14           lane Fixed  Illegal;
    /// `num_threads`: lanes a warp.
    NUM_THREADS        "vx_num_threads"         0xFC0           warp Fixed  Illegal;
    /// `num_warps`: warps a core.
    NUM_WARPS          "vx_num_warps"           0xFC1           warp Fixed  Illegal;
    /// `num_cores`.
    NUM_CORES          "vx_num_cores"           0xFC2           warp Fixed  Illegal;
    /// `local_mem_base`: start of the local memory.
    LOCAL_MEM_BASE     "vx_local_mem_base"      0xFC3           warp Fixed  Illegal;
}

/// The row that holds register `number`, or `None` if there is no such register.
pub fn lookup(number: u16) -> Option<&'static Csr> {
    let row = CSRS.partition_point(|csr| csr.last < number);
    CSRS.get(row).filter(|csr| csr.first <= number)
}

/// Whether the register belongs to F: a core without a floating-point unit lacks it.
pub const fn needs_fpu(number: u16) -> bool {
    matches!(number, FFLAGS | FRM | FCSR)
}

/// Whether the register is one of a grid's blocks: a core that cannot run grids lacks it.
pub const fn needs_grid(number: u16) -> bool {
    matches!(number, CTA_ID..=CTA_ENTRY)
}

/// Whether the register is of warps that a core of 32 or fewer lacks, and the register with them.
pub const fn needs_upper_warps(number: u16) -> bool {
    matches!(number, UPPER_ACTIVE_WARPS)
}

/// As [`lookup`], of the registers that a core of this configuration has.
pub fn lookup_in(cfg: &CoreConfig, number: u16) -> Option<&'static Csr> {
    let has = |part: bool, needs: fn(u16) -> bool| part || !needs(number);
    lookup(number).filter(|_| {
        has(cfg.fpu, needs_fpu) && has(cfg.grid, needs_grid) && has(cfg.warps > 32, needs_upper_warps)
    })
}

/// The register's name as an assembler writes it; its number in hexadecimal if it has none.
pub fn name(number: u16) -> String {
    match lookup(number) {
        Some(csr) if csr.first == csr.last => csr.name.into(),
        // The one row of like registers, counted from 3: mhpmcounter3, mhpmcounter3h.
        Some(csr) => csr.name.replace('3', &(number - csr.first + 3).to_string()),
        None => format!("{number:#x}"),
    }
}

/// The number of the register called `text`.
pub fn parse(text: &str) -> Option<u16> {
    CSRS.iter().flat_map(|csr| csr.first..=csr.last).find(|&number| name(number) == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_ascend_and_read_only_numbers_are_read_only() {
        for pair in CSRS.windows(2) {
            assert!(pair[0].last < pair[1].first, "{pair:?}");
        }
        for csr in CSRS {
            assert_eq!(csr.first >> 10 == 3, csr.write == Write::Illegal, "{csr:?}");
        }
    }

    #[test]
    fn names_and_numbers_agree() {
        let mut count = 0;
        for number in 0..0x1000 {
            if lookup(number).is_some() {
                assert_eq!(parse(&name(number)), Some(number));
                count += 1;
            }
        }
        assert_eq!(count, CSRS.len() + 28 + 28);
        assert_eq!(name(0xB1F), "mhpmcounter31");
        assert_eq!(name(0xB83), "mhpmcounter3h");
        assert_eq!(name(0x7C0), "0x7c0");
    }
}
