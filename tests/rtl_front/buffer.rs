//! The instruction buffer alone, against a list.
use super::bench::{drive, number, settle, tick};
use crate::sample::{is_full, some};
use cosim::Rng;
use rtl::bundles::Registers;
use rtl::op::Collector;
use rtl::stage::ibuffer::InstructionBuffer;
use rtl::warps::WarpMask;
use rust_hdl::prelude::*;
use spec::config::CoreConfig;
use std::collections::VecDeque;

/// What one instruction brings along; its fields are cut from one random number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry(u64);

impl Entry {
    fn bit(self, at: u32) -> bool {
        self.0 >> at & 1 != 0
    }
    fn register(self, at: u32) -> u32 {
        (self.0 >> at & 63) as u32
    }
    /// Destination, first and second source.
    fn registers(self) -> [u32; 3] {
        [3, 9, 15].map(|at| self.register(at))
    }
    /// The same, each with whether it is used.
    fn named(self) -> [(u32, bool); 3] {
        [0, 1, 2].map(|k| (self.registers()[k], self.bit(k as u32)))
    }
    fn collector(self) -> Collector {
        [Collector::Sp, Collector::Sfu, Collector::Mem][(self.0 >> 40) as usize % 3]
    }
    fn pc(self) -> u32 {
        (self.0 >> 7) as u32
    }
    fn instr(self) -> u32 {
        (self.0 >> 31) as u32
    }
}

fn push(buffer: &mut InstructionBuffer, wid: usize, entry: Entry) {
    let slice = wid % buffer.decode.len();
    let (decode, decoded) = (&mut buffer.decode[slice], &mut buffer.decoded[slice]);
    decode.valid.next = true;
    drive(&mut decode.wid, wid as u32);
    drive(&mut decode.pc, entry.pc());
    drive(&mut buffer.decode_instr[slice], entry.instr());
    for (k, number) in entry.registers().into_iter().enumerate() {
        drive(&mut decoded.facts_.registers.number[k], number);
        decoded.facts_.registers.used[k].next = entry.bit(k as u32);
    }
    decoded.collector.next = entry.collector();
    decoded.facts_.blocks_issue.next = entry.bit(21);
    decoded.facts_.memory.next = entry.bit(22);
}

fn named(registers: &Registers<Out>) -> [(u32, bool); 3] {
    [0, 1, 2].map(|k| (number(&registers.number[k]), registers.used[k].val()))
}

/// Compares every output with the lists.
fn check(buffer: &mut InstructionBuffer, queues: &[VecDeque<Entry>], shared: bool, rng: &mut Rng) {
    let slices = buffer.read_oh.len();
    let warps = queues.len() as u32;
    let read = (0..slices).map(|slice| match shared {
        true => rng.below(warps) as usize,
        false => slice + slices * rng.below(warps / slices as u32) as usize,
    });
    let read: Vec<usize> = read.collect();
    for (port, wid) in buffer.read_oh.iter_mut().zip(&read) {
        drive(port, 1 << wid);
    }
    settle(buffer);
    for (wid, queue) in queues.iter().enumerate() {
        let bit = |mask: &Signal<Out, WarpMask>| number(mask) >> wid & 1 != 0;
        assert_eq!(number(&buffer.ibuffer_count[wid]) as usize, queue.len());
        assert_eq!(bit(&buffer.heads.valid_warps), !queue.is_empty());
        let Some(head) = queue.front() else { continue };
        assert_eq!(named(&buffer.heads.registers[wid]), head.named());
        assert_eq!(bit(&buffer.heads.write_warps), head.bit(0));
        assert_eq!(bit(&buffer.heads.sfu_warps), head.collector() == Collector::Sfu);
        assert_eq!(bit(&buffer.heads.mem_warps), head.collector() == Collector::Mem);
        assert_eq!(bit(&buffer.heads.blocks_warps), head.bit(21));
        assert_eq!(bit(&buffer.heads.memory_warps), head.bit(22));
    }
    for (slice, wid) in read.iter().enumerate() {
        if let Some(head) = queues[*wid].front() {
            assert_eq!(number(&buffer.issue_pc[slice]), head.pc());
            assert_eq!(number(&buffer.issue_instr[slice]), head.instr());
        }
    }
}

/// Random pushes, one a slice at most (as often as the queues have room), pops and flushes; returns how often a queue was
/// full. Slices read what is of their own warps, or of any if they share them.
fn random_run(warps: usize, slices: usize, depth: usize, shared: bool, seed: u64, cycles: u64) -> usize {
    let kaws_sharing = Some(shared);
    let cfg = CoreConfig { warps, slices, queue_depth: depth, kaws_sharing, ..CoreConfig::default() };
    let mut buffer = InstructionBuffer::new(&cfg);
    let mut queues = vec![VecDeque::new(); warps];
    let mut rng = Rng::new(seed);
    let mut full = 0;
    for cycle in 0..cycles {
        let flush = if rng.percent(2) { rng.next_u64() as u32 & ((1u64 << warps) - 1) as u32 } else { 0 };
        // queues fill up in one hundred cycles and drain in the next
        let pop_percent = if cycle / 100 % 2 == 0 { 3 } else { 60 };
        let pops = (0..warps)
            .filter(|wid| !queues[*wid].is_empty() && rng.percent(pop_percent))
            .fold(0, |mask, wid| mask | 1u32 << wid);
        drive(&mut buffer.flush_warps, flush);
        drive(&mut buffer.issue_fire_warps, pops);
        for slice in 0..slices {
            buffer.decode[slice].valid.next = false;
            let wid = slice + slices * rng.below((warps / slices) as u32) as usize;
            let entry = Entry(rng.next_u64());
            // a full queue takes an instruction when its head leaves in the same cycle
            let room = queues[wid].len() < depth || pops >> wid & 1 != 0;
            full += usize::from(queues[wid].len() == depth);
            if room && rng.percent(90) {
                push(&mut buffer, wid, entry);
                queues[wid].push_back(entry);
            }
        }
        settle(&mut buffer);
        for (wid, queue) in queues.iter_mut().enumerate() {
            let enters = number(&buffer.heads.enters_warps) >> wid & 1 != 0;
            let popped = pops >> wid & 1 != 0;
            if popped {
                queue.pop_front();
            }
            if flush >> wid & 1 != 0 {
                queue.clear();
            }
            // A head that is new in the next cycle is announced.
            if let Some(head) = queue.front().filter(|_| popped || enters) {
                let following = named(&buffer.heads.following[wid]);
                assert_eq!(following, head.named(), "cycle {cycle}, warp {wid}");
            }
            assert!(
                !enters || !popped,
                "cycle {cycle}: a head enters the queue of warp {wid}, which has one"
            );
        }
        tick(&mut buffer);
        drive(&mut buffer.flush_warps, 0);
        check(&mut buffer, &queues, shared, &mut rng);
    }
    full
}

#[test]
fn queues_keep_order_through_full_empty_and_flush() {
    let shapes =
        vec![(4, 1, 4, false, 100), (1, 1, 2, false, 100), (6, 2, 8, false, 10), (8, 4, 4, true, 10)];
    let thirds = if is_full() { 3 } else { 1 };
    for ((warps, slices, depth, shared, least), seed) in some(shapes.into_iter().zip(1..).collect(), 1, 0) {
        let full = random_run(warps, slices, depth, shared, seed, 1000 * thirds as u64);
        assert!(3 * full > least * thirds, "{full} times in {thirds} thousand cycles");
    }
}

#[test]
fn an_instruction_decoded_in_the_cycle_of_a_flush_is_dropped() {
    let mut buffer = InstructionBuffer::new(&CoreConfig::default());
    push(&mut buffer, 2, Entry(77));
    drive(&mut buffer.flush_warps, 1 << 2);
    tick(&mut buffer);
    assert_eq!(number(&buffer.heads.valid_warps), 0);
    drive(&mut buffer.flush_warps, 1 << 1);
    tick(&mut buffer);
    assert_eq!(number(&buffer.heads.valid_warps), 1 << 2);
}
