//! The data cache.
mod flush_control;
mod logic;
mod mshr;
mod out;
mod replay;
mod way;

pub use flush_control::FlushControl;
pub use mshr::MissTable;
pub use out::OutBuffer;
pub use replay::Replay;
pub use way::DataWay;

use crate::bundles::LINE_WORDS as WORDS;
use crate::prelude::*;
use spec::config::LINE_BYTES;

module! {
    /// Non-blocking cache of 64-byte lines between the load/store unit and the bus, one line access a cycle.
    ///
    /// The number of a line's set folds two more groups of the address's bits onto the lowest: lines that are a power of two
    /// apart, like those of the threads' stacks, are not all in one set, where they would evict each other and, with
    /// write-back, each would be looked at twice, since the one before it has changed the set.
    ///
    /// A request is a whole line for all lanes that want a part of it, so one bank serves them in one access.
    /// Write-through (default): stores go on to the bus and change the line if it is here; a store that misses brings nothing
    /// in, for the rest of the line is often stored by the next warps and reading it would only load the bus.
    /// Write-back: a store that misses takes a line for itself and notes its dirty bytes; nothing is read. Only dirty bytes are
    /// ever written, so other masters' bytes in the line are safe.
    ///
    /// Ports: below. Latency: the memories are read while the request is on its way; a hit answers in the cycle in
    /// which the request is there. A miss is on the bus in the next cycle; its line answers two cycles after it has
    /// come. Reset: empty; a sweep makes one set a cycle invalid and what it has not reached counts as invalid.
    /// Invariants: requests act in the order in which they come, on the bus too; while a line is asked for with loads
    /// joining, the cache does not hold it; a store to such a line makes the asking private to the loads before it,
    /// and its line is not kept. A line that comes serves its loads before anything else can touch it, so every load
    /// ends. I/O addresses (below 0x10000) are never kept: their lines pass through a row of their own. Critical
    /// path: tag memory, comparison, choice of the way, `lsu_rsp_valid`. Write-through `lsu_req_ready` does not
    /// depend on the tags: a load that could not be served as a miss is looked at twice. With write-back it does. Nor
    /// does it depend on the lines that are on their way: a load that joins one waits as if it asked for one, for an
    /// MSHR and for the bus. Source: ARCHITECTURE.md, "Memory order"; docs/ISA.md, section 6. Deviations: victims in
    /// rotation. Mirror in the model: `model::timing::dcache`.
    pub struct DataCache(cfg: &CoreConfig) [clock, reset]
    let cache = cfg.cache_bank();
    // A core without a data cache has it as an absent part, which is made nevertheless.
    let (ways, sets) = (cache.ways.max(1), cache.sets().max(1));
    let (set, row, lines) = (bits_for(sets), bits_for(sets + 1), bits_for(sets * ways + 1));
    let set_bits = (cache.bytes / LINE_BYTES / ways).trailing_zeros() as usize;
    // Bank and set together are as spread as the sets of a single bank: the lowest bits number no set, for the bank gives them away.
    let bank_bits = clog2(cfg.line_paths());
    let place_bits = bank_bits + set_bits;
    let evict_words = if cache.write_back { WORDS } else { 0 };
    {
        // From and to the load/store unit.
        /// The line whose request may be there in the next cycle.
        pub look: LineLook<In> = LineLook::new(),
        /// A request; its tag is the load's slot.
        pub lsu_req: LineRequest<In> = LineRequest::new(MASTER_TAG_BITS),
        /// A line for a load.
        pub lsu_rsp: LineResponse<Out> = LineResponse::new(MASTER_TAG_BITS),
        /// A fence waits, and nothing else is under way in the load/store unit.
        pub flush: Signal<In, Bit>,
        /// Memory has all stores, and no line from before will be hit.
        pub flush_done: Signal<Out, Bit>,
        // From and to the core.
        /// Nothing but this cache is busy.
        pub drain: Signal<In, Bit>,
        /// A line is under way, or memory lacks stored bytes.
        pub busy: Signal<Out, Bit>,
        // From and to the bus.
        /// A request to memory; its tag is an MSHR.
        pub mem_req: LineRequest<Out> = LineRequest::new(MASTER_TAG_BITS),
        /// A line that was read.
        pub mem_rsp: LineResponse<In> = LineResponse::new(MASTER_TAG_BITS),
        // To the counters.
        /// What happens.
        pub events: CacheEvents<Out> = CacheEvents::new(cfg),
        ways: Vec<DataWay> = (0..ways).map(|_| DataWay::new(sets, sets << bank_bits, cache.write_back)).collect(),
        misses: MissTable = MissTable::new(cfg),
        replay: Replay = Replay::new(cfg),
        out: OutBuffer = OutBuffer::new(cache.write_back),
        flush_control: FlushControl = FlushControl::new(sets),
        // What the memories show.
        looked, known_hit: Reg<Bit>,
        unswept: Pipe<Bit>,
        fill_looked: Reg<Bit>,
        dirty_lines: Reg<Bits<16>> = Reg::<Bits<16>>::width(lines),
        victim: Reg<Bits<4>> = Reg::<Bits<4>>::with_reset(ways, 1),
        req_fold, look_fold, fill_fold, evict_line: Signal<Local, Bits<26>>,
        req_set, look_set, fill_set, write_set, read_set, kept_set: Signal<Local, Bits<16>> = signal(set),
        uncached, any_full, hit, partial, victim_dirty, act, load, store, miss_room, through, accept, allocate,
        pass_store, keep_store, fill_ready, fill, fill_alone, idle, flushed, walking, evict, new_full,
        was_dirty, writes, writes_tag, retry, waits, free, read_fill, read, read_words,
        collides: Signal<Local, Bit>,
        present_ways, dirty_ways, fill_way, evict_way, store_way,
        response_ways: Signal<Local, Bits<4>> = signal(ways),
        fill_row, write_row, read_row: Signal<Local, Bits<16>> = signal(row),
        evict_mask, old_mask, new_mask: Signal<Local, Bits<64>>,
        evict_words: Vec<Signal<Local, Bits<32>>> = signals(evict_words, 32),
        bank_bits: Const<Bits<5>> = constant(5, bank_bits as u64),
        fold: Const<Bits<5>> = constant(5, (bank_bits + place_bits) as u64),
        fold_again: Const<Bits<5>> = constant(5, (bank_bits + 2 * place_bits) as u64),
        write_back: Const<Bit> = Const::new(cache.write_back),
        all_bytes: Const<Bits<64>> = constant(64, u64::MAX),
        first_way: Const<Bits<4>> = constant(ways, 1),
        last_way: Const<Bits<4>> = constant(ways, 1 << (ways - 1)),
        spare_row: Const<Bits<16>> = constant(row, sets as u64),
        one_line: Const<Bits<16>> = constant(lines, 1),
        _ways: usize = ways,
        _set_bits: usize = set_bits,
        _words: usize = WORDS,
        _evict_words: usize = evict_words,
    }
}
