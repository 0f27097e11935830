//! The rules of AXI4, checked on the signals of both sides in every cycle.

use std::collections::VecDeque;

use super::{Address, Master, ReadBeat, Slave, WriteBeat, WriteResponse, INCR};

/// A broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("AXI4, cycle {cycle}, {signal}: {rule}")]
pub struct AxiViolation {
    /// Cycles since the checker began.
    pub cycle: u64,
    /// The signal that is wrong.
    pub signal: &'static str,
    /// What it should have done.
    pub rule: &'static str,
}

/// A broken rule before the cycle is known.
type Check = Result<(), (&'static str, &'static str)>;

fn require(holds: bool, signal: &'static str, rule: &'static str) -> Check {
    if holds {
        Ok(())
    } else {
        Err((signal, rule))
    }
}

/// The state that the rules need: what waits, and what is outstanding.
pub struct AxiChecker {
    /// Bytes in a beat of the data channels.
    width: u32,
    cycle: u64,
    /// The last clock edge was one in reset.
    after_reset: bool,
    /// What was shown and not accepted at the last clock edge.
    aw: Option<Address>,
    w: Option<WriteBeat>,
    b: Option<WriteResponse>,
    ar: Option<Address>,
    r: Option<ReadBeat>,
    /// Accepted writes whose data are not complete.
    announced: VecDeque<Address>,
    /// Strobes of the beats that belong to no announced write yet, and whether they were the last.
    beats: VecDeque<(u64, bool)>,
    /// Beats of the first announced write that were checked.
    beats_done: u32,
    /// For each id, the writes that wait for a response.
    unanswered: [u32; 256],
    /// For each id, the beats that its reads still need, oldest first.
    reads: Vec<VecDeque<u32>>,
}

impl AxiChecker {
    /// For data channels of `width` bytes, at most 64.
    pub fn new(width: u32) -> Self {
        Self {
            width,
            cycle: 0,
            after_reset: false,
            aw: None,
            w: None,
            b: None,
            ar: None,
            r: None,
            announced: VecDeque::new(),
            beats: VecDeque::new(),
            beats_done: 0,
            unanswered: [0; 256],
            reads: vec![VecDeque::new(); 256],
        }
    }

    /// Checks what both sides show at a rising clock edge; `reset` is ARESETn low.
    ///
    /// # Errors
    /// The first broken rule.
    pub fn clock(&mut self, reset: bool, master: &Master, slave: &Slave) -> Result<(), AxiViolation> {
        let cycle = self.cycle;
        self.cycle += 1;
        let checked = if reset { self.in_reset(master, slave) } else { self.running(master, slave) };
        self.after_reset = reset;
        checked.map_err(|(signal, rule)| AxiViolation { cycle, signal, rule })
    }

    /// Checks that everything asked for was answered, but for instructions that were fetched ahead.
    ///
    /// # Errors
    /// What is outstanding.
    pub fn finish(&self) -> Result<(), AxiViolation> {
        let idle = self.announced.is_empty() && self.beats.is_empty();
        require(idle && self.w.is_none() && self.aw.is_none(), "wvalid", "every announced beat is written")
            .and(require(self.unanswered.iter().all(|&n| n == 0), "bvalid", "every write is answered"))
            .map_err(|(signal, rule)| AxiViolation { cycle: self.cycle, signal, rule })
    }

    /// A3.1.2: valid signals are low in reset. They are registers with a synchronous reset, so the first edge counts not.
    fn in_reset(&mut self, master: &Master, slave: &Slave) -> Check {
        let seen = self.after_reset;
        *self = Self { cycle: self.cycle, ..Self::new(self.width) };
        if seen {
            Self::silent(master, slave, "low during reset")?;
        }
        Ok(())
    }

    fn silent(master: &Master, slave: &Slave, rule: &'static str) -> Check {
        require(master.aw.is_none(), "awvalid", rule)?;
        require(master.w.is_none(), "wvalid", rule)?;
        require(master.ar.is_none(), "arvalid", rule)?;
        require(slave.b.is_none(), "bvalid", rule)?;
        require(slave.r.is_none(), "rvalid", rule)
    }

    fn running(&mut self, master: &Master, slave: &Slave) -> Check {
        if self.after_reset {
            Self::silent(master, slave, "low until a clock edge after reset")?;
        }
        // 1. what was not accepted is still there (A3.2.1)
        const SAME: &str = "valid and payload stay until ready";
        require(self.aw.is_none() || self.aw == master.aw, "awvalid", SAME)?;
        require(self.w.is_none() || self.w == master.w, "wvalid", SAME)?;
        require(self.ar.is_none() || self.ar == master.ar, "arvalid", SAME)?;
        require(self.b.is_none() || self.b == slave.b, "bvalid", SAME)?;
        require(self.r.is_none() || self.r == slave.r, "rvalid", SAME)?;
        self.aw = master.aw.filter(|_| !slave.awready);
        self.w = master.w.filter(|_| !slave.wready);
        self.ar = master.ar.filter(|_| !slave.arready);
        self.b = slave.b.filter(|_| !master.bready);
        self.r = slave.r.filter(|_| !master.rready);
        // 2. responses answer what was accepted at an earlier edge (A3.3.1)
        if let Some(b) = slave.b {
            self.response(&b, master.bready)?;
        }
        if let Some(r) = slave.r {
            self.read_beat(&r, master.rready)?;
        }
        // 3. bursts
        if let Some(aw) = master.aw {
            self.burst(&aw, ["awaddr", "awlen", "awsize", "awburst", "awcache"])?;
            if slave.awready {
                self.announced.push_back(aw);
            }
        }
        if let Some(ar) = master.ar {
            self.burst(&ar, ["araddr", "arlen", "arsize", "arburst", "arcache"])?;
            if slave.arready {
                self.reads[usize::from(ar.id)].push_back(ar.beats());
            }
        }
        if let Some(w) = master.w.filter(|_| slave.wready) {
            self.beats.push_back((w.strobes, w.last));
        }
        self.write_beats()
    }

    /// A3.4.1 and A4.4.
    fn burst(&self, burst: &Address, names: [&'static str; 5]) -> Check {
        let [address, len, size, kind, cache] = names;
        require(burst.bytes() <= self.width, size, "a beat is no wider than the data channel")?;
        require(burst.burst <= 2, kind, "FIXED, INCR or WRAP")?;
        if burst.burst != INCR {
            require(burst.beats() <= 16, len, "FIXED and WRAP have at most 16 beats")?;
        }
        if burst.burst == 2 {
            require(matches!(burst.beats(), 2 | 4 | 8 | 16), len, "WRAP has 2, 4, 8 or 16 beats")?;
            require(burst.address.is_multiple_of(burst.bytes()), address, "WRAP is aligned")?;
        }
        if burst.burst == INCR {
            let last = burst.beat(burst.beats() - 1) | (burst.bytes() - 1);
            require(burst.address >> 12 == last >> 12, address, "a burst stays within 4 KB")?;
        }
        require(
            burst.cache & 2 != 0 || burst.cache & 12 == 0,
            cache,
            "what is not modifiable is not allocated",
        )
    }

    /// A3.4.1, A3.4.3: beats belong to the announced writes in order; data may come before the address.
    fn write_beats(&mut self) -> Check {
        while let (Some(burst), Some(&(strobes, last))) = (self.announced.front(), self.beats.front()) {
            let lanes = if burst.burst == INCR { burst.lanes(self.beats_done, self.width) } else { u64::MAX };
            require(strobes & !lanes == 0, "wstrb", "strobes within the beat's lanes")?;
            self.beats_done += 1;
            let complete = self.beats_done == burst.beats();
            require(last || !complete, "wlast", "high on the burst's last beat")?;
            require(!last || complete, "wlast", "low before the burst's last beat")?;
            self.beats.pop_front();
            if complete {
                self.unanswered[usize::from(burst.id)] += 1;
                self.beats_done = 0;
                self.announced.pop_front();
            }
        }
        Ok(())
    }

    fn response(&mut self, b: &WriteResponse, accepted: bool) -> Check {
        let waiting = &mut self.unanswered[usize::from(b.id)];
        require(*waiting > 0, "bvalid", "a complete write with this id waits for an answer")?;
        *waiting -= u32::from(accepted);
        Ok(())
    }

    fn read_beat(&mut self, r: &ReadBeat, accepted: bool) -> Check {
        let reads = &mut self.reads[usize::from(r.id)];
        let Some(left) = reads.front_mut() else {
            return Err(("rvalid", "a read with this id waits for data"));
        };
        require(r.last || *left != 1, "rlast", "high on the burst's last beat")?;
        require(!r.last || *left == 1, "rlast", "low before the burst's last beat")?;
        if accepted {
            *left -= 1;
            if *left == 0 {
                reads.pop_front();
            }
        }
        Ok(())
    }
}
