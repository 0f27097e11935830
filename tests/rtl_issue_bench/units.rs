//! The part of the load-store unit and the special unit: they take what the collectors hold, when they like.

use std::collections::VecDeque;

use isa::Op;

use super::{Bench, Expected, InFlight};

#[derive(Default)]
pub struct Units {
    mem: Expected,
    sfu: Expected,
    /// Loads whose lanes are still to come back.
    loads: Vec<InFlight>,
    /// Results of the special unit, in order.
    results: VecDeque<InFlight>,
    /// Taken, and still to resume their warps.
    resuming: Vec<InFlight>,
    /// The ready signals of this cycle.
    mem_ready: bool,
    sfu_ready: bool,
}

impl Units {
    /// The collectors will offer it.
    pub fn expect(&mut self, flight: InFlight) {
        let queues = if flight.for_mem() { &mut self.mem } else { &mut self.sfu };
        let wid = flight.retire.wid;
        if queues.len() <= wid {
            queues.resize_with(wid + 1, VecDeque::new);
        }
        // The slice divides by itself.
        if !matches!(flight.retire.op, Op::Div | Op::Divu | Op::Rem | Op::Remu) {
            queues[wid].push_back(flight);
        }
    }

    pub fn idle(&self) -> bool {
        let waits = |queues: &Expected| queues.iter().any(|queue| !queue.is_empty());
        !(waits(&self.mem) || waits(&self.sfu))
            && self.loads.is_empty()
            && self.results.is_empty()
            && self.resuming.is_empty()
    }
}

impl Bench {
    /// Ready signals, results and events of this cycle.
    pub(super) fn present_units(&mut self) {
        let slow = self.surroundings.units;
        self.units.mem_ready = self.once_in(slow);
        self.units.sfu_ready = self.once_in(slow);
        self.ports.write("mem_ready", self.units.mem_ready);
        self.ports.write("sfu_ready", self.units.sfu_ready);
        self.present_load(slow);
        // The special unit's result stays until it is taken.
        let result = self.units.results.front().copied();
        self.ports.write("sfu_result_valid", result.is_some());
        if let Some(flight) = result {
            self.present_result("sfu", &flight, flight.retire.tmask);
        }
        let mut resumed = 0u32;
        for at in (0..self.units.resuming.len()).rev() {
            let flight = self.units.resuming[at];
            let (wid, op) = (flight.retire.wid, flight.retire.op);
            // WSPAWN and barriers wait for other warps.
            let warp = self.machine.warp(wid);
            if (warp.runnable() || !warp.active()) && self.once_in(slow) {
                self.units.resuming.swap_remove(at);
                self.resume(wid, op.changes_mask() || op == Op::FenceI);
                resumed |= u32::from(self.fronts[wid].active) << wid;
            }
        }
        self.ports.write("resume_warps", resumed);
        self.ports.write("core_active_warps", self.active_warps());
        let waiting = self.units.resuming.iter().filter(|flight| flight.retire.op.is_barrier());
        let waiting = waiting.fold(0, |mask, flight| mask | 1u32 << flight.retire.wid);
        self.ports.write("core_barrier_warps", waiting);
    }

    fn present_load(&mut self, slow: usize) {
        let present = !self.units.loads.is_empty() && self.once_in(slow);
        self.ports.write("lsu_result_valid", present);
        if !present {
            return;
        }
        let at = self.rng.below(self.units.loads.len());
        let mut part = self.units.loads[at].lanes;
        if self.surroundings.partial_loads {
            let some = part & self.rng.word();
            part = if some == 0 { part } else { some };
        }
        let load = &mut self.units.loads[at];
        load.lanes &= !part;
        let flight = *load;
        if flight.lanes == 0 {
            self.units.loads.swap_remove(at);
        }
        self.ports.write("lsu_result_last", flight.lanes == 0);
        self.present_result("lsu", &flight, part);
    }

    fn present_result(&mut self, unit: &str, flight: &InFlight, tmask: u32) {
        let retire = &flight.retire;
        self.ports.write(&format!("{unit}_result_wid"), retire.wid as u32);
        self.ports.write(&format!("{unit}_result_rd"), retire.rd.unwrap_or(0));
        self.ports.write(&format!("{unit}_result_tmask"), tmask);
        // Lanes that are not written carry garbage.
        let values: Vec<u32> = (0..self.threads)
            .map(|lane| if tmask >> lane & 1 != 0 { retire.values[lane] } else { 0xdead_0000 | lane as u32 })
            .collect();
        self.ports.write_array(&format!("{unit}_result_data"), 32, &values);
    }

    /// Takes what the collectors offer and the units accept this cycle.
    pub(super) fn collect(&mut self) {
        assert_eq!(self.ports.read("lsu_result_ready"), 1, "loads are never held back");
        if !self.units.results.is_empty() && self.ports.read("sfu_result_ready") != 0 {
            self.units.results.pop_front();
        }
        if self.units.mem_ready && self.ports.read("mem_valid") != 0 {
            let flight = self.take("mem");
            let op = flight.retire.op;
            assert_eq!(self.ports.read("mem_store") != 0, op.is_store());
            assert_eq!(self.ports.read("mem_fence") != 0, matches!(op, Op::Fence | Op::FenceI));
            assert_eq!(self.ports.read("mem_fence_i") != 0, op == Op::FenceI);
            if let Some(store) = flight.retire.access().filter(|access| access.store || op.is_atomic()) {
                let imm = self.ports.read("mem_imm");
                assert_eq!(self.ports.read("mem_funct3"), u32::from(store.funct3));
                for lane in (0..self.threads).filter(|lane| flight.lanes >> lane & 1 != 0) {
                    assert_eq!(self.ports.lane("mem_rs1", lane).wrapping_add(imm), store.addr[lane]);
                    assert_eq!(self.ports.lane("mem_rs2", lane), store.data[lane]);
                }
            }
            if op.is_load() && flight.retire.rd.is_some() || op.is_atomic() {
                self.units.loads.push(flight);
            }
            if flight.blocks() {
                self.units.resuming.push(flight);
            }
        }
        if self.units.sfu_ready && self.ports.read("sfu_valid") != 0 {
            let flight = self.take("sfu");
            let op = flight.retire.op;
            assert_eq!(self.ports.read("sfu_instr"), flight.retire.raw);
            assert_eq!(self.ports.read("sfu_wctl") != 0, op.changes_mask());
            assert_eq!(self.ports.read("sfu_barrier") != 0, op.is_barrier());
            assert_eq!(self.ports.read("sfu_csr") != 0, !flight.blocks());
            assert_eq!(self.ports.read("sfu_legal"), 1);
            if flight.retire.rd.is_some() {
                self.units.results.push_back(flight);
            }
            if flight.blocks() {
                self.units.resuming.push(flight);
            }
        }
    }

    /// The entry of a collector, checked against the instruction the model executed.
    fn take(&mut self, unit: &str) -> InFlight {
        let read = |name: &str| self.ports.read(&format!("{unit}_{name}"));
        let wid = read("wid") as usize;
        let queues = if unit == "mem" { &mut self.units.mem } else { &mut self.units.sfu };
        let flight = queues.get_mut(wid).and_then(VecDeque::pop_front);
        let flight = flight.unwrap_or_else(|| panic!("warp {wid} has nothing for the {unit} unit"));
        let what = format!("{unit}: warp {wid} {:?} at {:#x}", flight.retire.op, flight.retire.pc);
        assert_eq!(read("pc"), flight.retire.pc, "{what}");
        assert_eq!(read("tmask"), flight.retire.tmask, "{what}");
        assert_eq!(read("use_rd") != 0, flight.retire.rd.is_some(), "{what}");
        if let Some(rd) = flight.retire.rd {
            assert_eq!(read("rd"), u32::from(rd), "{what}");
        }
        assert!(self.cycle >= flight.issued + 2, "{what}: operands cannot be there");
        let (op, last) = (flight.retire.op, flight.lanes.ilog2() as usize);
        for lane in (0..self.threads).filter(|lane| flight.lanes >> lane & 1 != 0) {
            let (rs1, rs2) = (flight.rs1[lane], flight.rs2[lane]);
            let (mut first, mut second) = (vec![], vec![]);
            if unit == "mem" {
                first.push((self.ports.lane("mem_rs1", lane), rs1));
                second.push((self.ports.lane("mem_rs2", lane), rs2));
            } else {
                first.push((read("flags") >> lane & 1, rs1 & 1));
                if lane == 0 {
                    first.push((read("rs1"), rs1));
                }
                if lane == last {
                    first.push((read("last_rs1"), rs1));
                    second.push((read("last_rs2"), rs2));
                }
            }
            for (reads, pairs) in [(op.reads_rs1(), first), (op.reads_rs2(), second)] {
                for (port, register) in pairs.into_iter().filter(|_| reads) {
                    assert_eq!(port, register, "{what}: lane {lane}");
                }
            }
        }
        flight
    }
}
