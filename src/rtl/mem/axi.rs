//! The core's bus as an AXI4 master.
mod read;
mod write;

pub use read::AxiReader;
pub use write::AxiWriter;

use crate::rtl::bundles::LINE_WORDS as WORDS;
use crate::rtl::prelude::*;

/// 32-bit words in a beat of the data channels.
pub(crate) fn words_per_beat(cfg: &CoreConfig) -> usize {
    cfg.axi_data_bits / 32
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
    /// What is not a port of the reader or the writer is constant: INCR bursts of whole beats, modifiable and not bufferable
    /// (a response means that the write is done), unprivileged and secure, `bready` and `rready` 1.
    /// Latency: one cycle for requests, two for responses. Reset: nothing outstanding.
    /// Invariants: no path from an input of AXI4 to an output without a register between; AXI4's rules, which
    /// `cosim::memory::axi` checks. Critical path: the arbiter's choice to the comparison of lines and back to ready.
    /// Source: AMBA AXI and ACE Protocol Specification, IHI 0022E, A3 to A6. Mirror in the model: none (timing only).
    pub struct AxiMaster(cfg: &CoreConfig) [clock, reset]
    let lanes = words_per_beat(cfg);
    {
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
        line_beats: Const<Bits<8>> = constant(8, (WORDS / lanes) as u64 - 1),
        beat_size: Const<Bits<3>> = constant(3, (4 * lanes).ilog2().into()),
        _words: usize = WORDS,
        _lanes: usize = lanes,
    }
}

impl Logic for AxiMaster {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. who takes the request: not while the other channel still has to do with its line");
        self.reader.check_line.next = self.mem_req.addr.val();
        self.writer.check_line.next = self.mem_req.addr.val();
        self.read_ready.next = self.reader.req_ready.val() & !self.writer.line_in_flight.val();
        self.write_ready.next = self.writer.req_ready.val() & !self.reader.line_in_flight.val();
        self.mem_req.ready.next = self.read_ready.val();
        if self.mem_req.rw.val() {
            self.mem_req.ready.next = self.write_ready.val();
        }
        self.reader.req_valid.next =
            self.mem_req.valid.val() & !self.mem_req.rw.val() & !self.writer.line_in_flight.val();
        self.reader.req_line.next = self.mem_req.addr.val();
        self.reader.req_tag.next = self.mem_req.tag.val();
        self.writer.req_valid.next =
            self.mem_req.valid.val() & self.mem_req.rw.val() & !self.reader.line_in_flight.val();
        self.writer.req_line.next = self.mem_req.addr.val();
        self.writer.req_byteen.next = self.mem_req.byteen.val();
        for w in 0..self._words {
            self.writer.req_data[w].next = self.mem_req.data[w].val();
        }
        Wires::join(&mut self.reader.rsp, &mut self.mem_rsp);
        comment!("2. the writer's channels");
        self.axi.awvalid.next = self.writer.awvalid.val();
        self.axi.awaddr.next = self.writer.awaddr.val();
        self.axi.awlen.next = self.writer.awlen.val();
        self.writer.awready.next = self.axi.awready.val();
        self.axi.wvalid.next = self.writer.wvalid.val();
        self.axi.wlast.next = self.writer.wlast.val();
        self.writer.wready.next = self.axi.wready.val();
        self.writer.bvalid.next = self.axi.bvalid.val();
        self.writer.bresp.next = self.axi.bresp.val();
        self.axi.bready.next = true;
        self.bus.writes_pending.next = self.writer.pending.val();
        self.axi.awid.next = 0.into();
        self.axi.awsize.next = self.beat_size.val();
        self.axi.awburst.next = 1.into();
        self.axi.awlock.next = false;
        self.axi.awcache.next = 2.into();
        self.axi.awprot.next = 0.into();
        self.axi.awqos.next = 0.into();
        comment!("3. the reader's channels");
        self.axi.arvalid.next = self.reader.arvalid.val();
        self.axi.arid.next = self.reader.arid.val();
        self.axi.araddr.next = self.reader.araddr.val();
        self.axi.arlen.next = self.line_beats.val();
        self.axi.arprot.next = self.reader.arprot.val();
        self.reader.arready.next = self.axi.arready.val();
        self.reader.rvalid.next = self.axi.rvalid.val();
        self.reader.rid.next = self.axi.rid.val();
        self.reader.rresp.next = self.axi.rresp.val();
        self.reader.rlast.next = self.axi.rlast.val();
        self.axi.rready.next = true;
        self.axi.arsize.next = self.beat_size.val();
        self.axi.arburst.next = 1.into();
        self.axi.arlock.next = false;
        self.axi.arcache.next = 2.into();
        self.axi.arqos.next = 0.into();
        for lane in 0..self._lanes {
            self.axi.wdata[lane].next = self.writer.wdata[lane].val();
            self.axi.wstrb[lane].next = self.writer.wstrb[lane].val();
            self.reader.rdata[lane].next = self.axi.rdata[lane].val();
        }
        comment!("4. failures");
        self.bus.error_valid.next = self.reader.error_valid.val() | self.writer.error_valid.val();
        self.bus.error_line.next = self.reader.error_line.val();
        if self.writer.error_valid.val() {
            self.bus.error_line.next = self.writer.error_line.val();
        }
    }
}
