//! Inside the load-store unit, and what it tells.
use crate::mem::local_mem::word_bits;
use crate::prelude::*;

bundle! {
    /// A load or store of a warp: what the trace port tells of it.
    pub struct Access(cfg: &CoreConfig) {
        forward {
            /// A load or store is there.
            valid: reset Bit,
            /// It is a store.
            store: Bit,
            /// Its warp.
            wid: WarpId = cfg.wid_bits(),
            /// Its own address.
            pc: Bits<32>,
            /// Its lanes.
            tmask: Bits<32> = cfg.threads,
            /// Size and extension.
            funct3: Bits<3>,
            /// Byte address of each lane.
            addr: [Bits<32>; cfg.threads],
            /// Of a store or atomic instruction, the register value of each lane, not cut to the size.
            data: [Bits<32>; cfg.threads],
        }
    }
}

bundle! {
    /// A load, store, atomic instruction or fence of which the addresses are known.
    pub struct MemOperation(cfg: &CoreConfig) {
        forward {
            /// What all three have; `valid`: it is there.
            access_: fields Access(cfg),
            /// Destination register.
            rd: Bits<6>,
            /// It writes a register.
            use_rd: Bit,
            /// It is FENCE or FENCE.I.
            fence: Bit,
            /// It is FENCE.I.
            fence_i: Bit,
            /// It is an atomic instruction.
            atomic: if (cfg.atomics) Bit,
            /// What that does: the upper five bits of the instruction.
            operation: if (cfg.atomics) Bits<5>,
            /// What AMOCAS compares each lane's word with.
            compared: if (cfg.atomics) [Bits<32>; cfg.threads],
        }
    }
}

bundle! {
    /// Where the words of a load go.
    pub struct LoadTarget(cfg: &CoreConfig) {
        forward {
            /// Its warp.
            wid: WarpId = cfg.wid_bits(),
            /// Destination register.
            rd: Bits<6>,
            /// Size and extension.
            funct3: Bits<3>,
            /// Number of the load.
            group: Bits<5>,
        }
    }
}

bundle! {
    /// Lanes of a load or store that go to one line, or to local memory.
    pub struct LaneGroup(cfg: &CoreConfig) {
        let t = cfg.threads;
        forward {
            /// A group is there.
            valid: reset Bit,
            /// The lanes.
            lanes: reset Bits<32> = t,
            /// They go to local memory.
            in_local: Bit,
            /// Their line, if they do not.
            line: Bits<26>,
            /// They are part of a store.
            store: Bit,
            /// No other group of the instruction follows.
            ends: Bit,
            /// Where a load's words go.
            load: bundle LoadTarget(cfg),
            /// Low address bits of each lane.
            offset: [Bits<14>; t],
            /// For each lane, the lanes before it that want the same bank.
            same_bank: [Bits<32>; t] = t,
            /// For each lane, the lanes before it that want the same word.
            same_word: [Bits<32>; t] = t,
            /// Aligned word to store of each lane.
            word: [Bits<32>; t],
            /// Bytes to store of each lane.
            bytes: [Bits<4>; t],
        }
        backward {
            /// They are taken in this cycle.
            ready: Bit,
        }
    }
}

bundle! {
    /// What each bank does in a pass.
    pub struct BankAccess(cfg: &CoreConfig) {
        forward {
            /// Banks that take part.
            valid: Bits<32> = cfg.threads,
            /// Word address of each bank.
            word: [Bits<12>; cfg.threads] = word_bits(cfg),
            /// Bytes that each bank stores.
            bytes: [Bits<4>; cfg.threads],
            /// Word that each bank stores.
            data: [Bits<32>; cfg.threads],
        }
    }
}

bundle! {
    /// What to do with a line when it comes.
    pub struct LoadEntry(cfg: &CoreConfig) {
        forward {
            /// Where its words go.
            load: bundle LoadTarget(cfg),
            /// The way back serves all lanes at once.
            single: Bit,
            /// Lanes that it serves.
            lanes: reset Bits<32> = cfg.threads,
            /// Byte within the line that each lane wants.
            offset: [Bits<6>; cfg.threads],
        }
    }
}

bundle! {
    /// Words of a load that are offered to commit.
    pub struct LoadResult(cfg: &CoreConfig) {
        forward {
            /// The result.
            offer_: fields OfferedResult(cfg),
            /// The load has no further result.
            last: Bit,
        }
    }
}

bundle! {
    /// A part of a load's words, on its way to commit.
    pub struct LoadPart(cfg: &CoreConfig) {
        forward {
            /// A part of a load is there.
            valid: Bit,
            /// Number of the load.
            group: Bits<5>,
            /// Its lanes.
            lanes: Bits<32> = cfg.threads,
        }
        backward {
            /// It completes the load.
            last: Bit,
        }
    }
}

bundle! {
    /// The line that the data cache may be asked for in the next cycle.
    pub struct LineLook() {
        forward {
            /// There may be one.
            valid: Bit,
            /// The line.
            line: Bits<26>,
            /// It would be a load.
            load: Bit,
        }
    }
}

bundle! {
    /// What a bank of the data cache does.
    pub struct CacheEvents(cfg: &CoreConfig) {
        forward {
            /// A load's line is looked up, hit or miss.
            read: reset Bit,
            /// A store's line is.
            write: reset Bit,
            /// A load's line is not there.
            read_miss: reset Bit,
            /// A store's line is not there.
            write_miss: reset Bit,
            /// A request waits for a free MSHR in this cycle.
            mshr_stall: reset Bit,
            /// A request waits for something else: the memories, the bus, the way back.
            bank_stall: reset Bit,
            /// MSHRs in use: lines on their way.
            mshrs_in_use: Bits<5> = bits_for(cfg.bank_mshrs() + 1),
        }
    }
}

bundle! {
    /// What local memory does, for the counters.
    pub struct LocalEvents(cfg: &CoreConfig) {
        forward {
            /// Lanes read it.
            read: reset Bit,
            /// Lanes write it.
            write: reset Bit,
            /// These lanes do.
            lanes: Bits<32> = cfg.threads,
            /// Others of their instruction wait for the same banks.
            bank_stall: reset Bit,
        }
    }
}

bundle! {
    /// What the load-store unit's memories do, for the counters.
    pub struct MemoryActivity(cfg: &CoreConfig) {
        forward {
            /// The banks of the data cache.
            dcache: [bundle CacheEvents(cfg); cfg.line_paths()],
            /// Local memory.
            local: bundle LocalEvents(cfg),
        }
    }
}

bundle! {
    /// What happens on the bus, for the counters.
    pub struct BusEvents() {
        forward {
            /// A read of a line is accepted, by memory or by what speaks AXI4 for the core.
            read: reset Bit,
            /// A write is.
            write: reset Bit,
            /// A line arrives.
            response: reset Bit,
        }
    }
}
