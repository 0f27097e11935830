//! The core's bus as an AXI4 master.
mod read;
mod write;

pub use read::AxiReader;
pub use write::AxiWriter;

use crate::bundles::LINE_WORDS as WORDS;
use crate::prelude::*;

/// 32-bit words in a beat of the data channels.
pub(crate) fn words_per_beat(cfg: &CoreConfig) -> usize {
    cfg.axi_data_bits / 32
}

/// AxSIZE of beats of so many words.
fn beat_size(lanes: usize) -> Const<Bits<3>> {
    constant(3, (4 * lanes).ilog2().into())
}

module! {
    /// Carries the core's line requests over AXI4.
    ///
    /// The line bus performs requests in the order of acceptance, AXI4 keeps no order between reads and writes. So a
    /// read waits while a write to its line has not been answered, and a write while a read of its line has not got its
    /// data. Everything else is outstanding at the same time: up to 16 reads, answered in any order, and 8 writes.
    ///
    /// Ports, from the core: `mem_req`, `mem_rsp`, `bus`: whether a write has not been answered, for which fences and `busy`
    /// wait, and what data access failed. To memory: the five channels, `axi`.
    /// Constant are: INCR bursts of whole beats, modifiable and not bufferable
    /// (a response means that the write is done), unprivileged and secure, `bready` and `rready` 1.
    /// Latency: one cycle for requests, two for responses. Reset: nothing outstanding.
    /// Invariants: no path from an input of AXI4 to an output without a register between; AXI4's rules, which
    /// the memory of the simulator checks. Critical path: the arbiter's choice to the comparison of lines and back to ready.
    /// Source: AMBA AXI and ACE Protocol Specification, IHI 0022E, A3 to A6. Mirror in the model: `model::timing::axi`.
    pub struct AxiMaster(cfg: &CoreConfig) [clock, reset] {
        /// A request.
        pub mem_req: LineRequest<In> = LineRequest::new(BUS_TAG_BITS),
        /// A line that was read.
        pub mem_rsp: LineResponse<Out> = LineResponse::new(BUS_TAG_BITS),
        /// What has not been answered, and what failed.
        pub bus: BusState<Out> = BusState::new(),
        /// To memory.
        pub axi: Axi<Out> = Axi::new(cfg),
        reader: AxiReader = AxiReader::new(cfg),
        writer: AxiWriter = AxiWriter::new(cfg),
        read_ready, write_ready: Signal<Local, Bit>,
    }
}

impl Logic for AxiMaster {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. who takes the request: not while the other channel still has to do with its line");
        Wires::join(&mut self.mem_req, &mut self.reader.req);
        Wires::join(&mut self.mem_req, &mut self.writer.req);
        self.read_ready.next = self.reader.req.ready.val() & !self.writer.line_in_flight.val();
        self.write_ready.next = self.writer.req.ready.val() & !self.reader.line_in_flight.val();
        self.mem_req.ready.next = self.read_ready.val();
        if self.mem_req.rw.val() {
            self.mem_req.ready.next = self.write_ready.val();
        }
        self.reader.req.valid.next =
            self.mem_req.valid.val() & !self.mem_req.rw.val() & !self.writer.line_in_flight.val();
        self.writer.req.valid.next =
            self.mem_req.valid.val() & self.mem_req.rw.val() & !self.reader.line_in_flight.val();
        Wires::join(&mut self.reader.rsp, &mut self.mem_rsp);
        comment!("2. the channels");
        Wires::join(&mut self.writer.axi_, &mut self.axi.write_);
        Wires::join(&mut self.reader.axi_, &mut self.axi.read_);
        self.bus.writes_pending.next = self.writer.pending.val();
        comment!("3. failures");
        self.bus.error_valid.next = self.reader.error_valid.val() | self.writer.error_valid.val();
        self.bus.error_line.next = self.reader.error_line.val();
        if self.writer.error_valid.val() {
            self.bus.error_line.next = self.writer.error_line.val();
        }
    }
}
