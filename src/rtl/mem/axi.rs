//! The core's bus as an AXI4 master.
mod read;
mod write;

pub use read::AxiReader;
pub use write::AxiWriter;

use crate::config::{CoreConfig, LINE_BYTES};
use crate::rtl::cell::{constant, signals, Const};
use crate::{comment, module};
use rust_hdl::prelude::*;

/// 32-bit words in a line.
const WORDS: usize = LINE_BYTES / 4;

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
    /// Ports, from the core: `mem_req_*`, `mem_rsp_*` as in `MemoryArbiter`. `writes_pending`: a write has not been answered;
    /// fences and `busy` wait for that. `error_valid`, `error_line`: a data access failed. To memory: the five channels.
    /// What is not a port of the reader or the writer is constant: INCR bursts of whole beats, modifiable and not bufferable
    /// (a response means that the write is done), unprivileged and secure, `bready` and `rready` 1.
    /// Latency: one cycle for requests, two for responses. Reset: nothing outstanding.
    /// Invariants: no path from an input of AXI4 to an output without a register between; AXI4's rules, which
    /// `cosim::memory::axi` checks. Critical path: the arbiter's choice to the comparison of lines and back to ready.
    /// Source: AMBA AXI and ACE Protocol Specification, IHI 0022E, A3 to A6. Mirror in the model: none (timing only).
    pub struct AxiMaster(cfg: &CoreConfig) [clock, reset]
    let lanes = words_per_beat(cfg);
    {
        /// A request waits.
        pub mem_req_valid: Signal<In, Bit>,
        /// It is a write.
        pub mem_req_rw: Signal<In, Bit>,
        /// Bytes to write.
        pub mem_req_byteen: Signal<In, Bits<64>>,
        /// Line address.
        pub mem_req_addr: Signal<In, Bits<26>>,
        /// Words to write.
        pub mem_req_data: Vec<Signal<In, Bits<32>>> = signals(WORDS, 32),
        /// Comes back with the line.
        pub mem_req_tag: Signal<In, Bits<8>>,
        /// The request is accepted.
        pub mem_req_ready: Signal<Out, Bit>,
        /// A line is there.
        pub mem_rsp_valid: Signal<Out, Bit>,
        /// Its words.
        pub mem_rsp_data: Vec<Signal<Out, Bits<32>>> = signals(WORDS, 32),
        /// Tag of the request.
        pub mem_rsp_tag: Signal<Out, Bits<8>>,
        /// The line is taken.
        pub mem_rsp_ready: Signal<In, Bit>,
        /// A write has not been answered.
        pub writes_pending: Signal<Out, Bit>,
        /// A data access failed.
        pub error_valid: Signal<Out, Bit>,
        /// Its line.
        pub error_line: Signal<Out, Bits<26>>,
        /// Write address channel.
        pub awvalid: Signal<Out, Bit>,
        /// Byte address of the burst.
        pub awaddr: Signal<Out, Bits<32>>,
        /// Beats less one.
        pub awlen: Signal<Out, Bits<8>>,
        /// The address is accepted.
        pub awready: Signal<In, Bit>,
        /// Write data channel.
        pub wvalid: Signal<Out, Bit>,
        /// Words of the beat.
        pub wdata: Vec<Signal<Out, Bits<32>>> = signals(lanes, 32),
        /// Bytes to write, four a word.
        pub wstrb: Vec<Signal<Out, Bits<4>>> = signals(lanes, 4),
        /// The burst's last beat.
        pub wlast: Signal<Out, Bit>,
        /// The beat is accepted.
        pub wready: Signal<In, Bit>,
        /// Write response channel.
        pub bvalid: Signal<In, Bit>,
        /// Bit 1: the write failed.
        pub bresp: Signal<In, Bits<2>>,
        /// Always 1.
        pub bready: Signal<Out, Bit>,
        /// Read address channel.
        pub arvalid: Signal<Out, Bit>,
        /// Number of the read.
        pub arid: Signal<Out, Bits<4>>,
        /// Byte address of the line.
        pub araddr: Signal<Out, Bits<32>>,
        /// Beats in a line less one.
        pub arlen: Signal<Out, Bits<8>>,
        /// Bit 2: instructions.
        pub arprot: Signal<Out, Bits<3>>,
        /// The address is accepted.
        pub arready: Signal<In, Bit>,
        /// Bytes in a beat, as a power of two; of both address channels.
        pub axsize: Signal<Out, Bits<3>>,
        /// Read data channel.
        pub rvalid: Signal<In, Bit>,
        /// Number of the read.
        pub rid: Signal<In, Bits<4>>,
        /// Words of the beat.
        pub rdata: Vec<Signal<In, Bits<32>>> = signals(lanes, 32),
        /// Bit 1: the beat failed.
        pub rresp: Signal<In, Bits<2>>,
        /// The burst's last beat.
        pub rlast: Signal<In, Bit>,
        /// Always 1.
        pub rready: Signal<Out, Bit>,
        reader: AxiReader = AxiReader::new(cfg),
        writer: AxiWriter = AxiWriter::new(cfg),
        read_ready: Signal<Local, Bit>,
        write_ready: Signal<Local, Bit>,
        line_beats: Const<Bits<8>> = constant(8, (WORDS / lanes) as u64 - 1),
        beat_size: Const<Bits<3>> = constant(3, (4 * lanes).ilog2().into()),
        _words: usize = WORDS,
        _lanes: usize = lanes,
    }
}

impl Logic for AxiMaster {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AxiMaster: Carries the core's line requests over AXI4.");
        comment!("1. who takes the request: not while the other channel still has to do with its line");
        self.reader.check_line.next = self.mem_req_addr.val();
        self.writer.check_line.next = self.mem_req_addr.val();
        self.read_ready.next = self.reader.req_ready.val() & !self.writer.line_in_flight.val();
        self.write_ready.next = self.writer.req_ready.val() & !self.reader.line_in_flight.val();
        self.mem_req_ready.next = self.read_ready.val();
        if self.mem_req_rw.val() {
            self.mem_req_ready.next = self.write_ready.val();
        }
        self.reader.req_valid.next =
            self.mem_req_valid.val() & !self.mem_req_rw.val() & !self.writer.line_in_flight.val();
        self.reader.req_line.next = self.mem_req_addr.val();
        self.reader.req_tag.next = self.mem_req_tag.val();
        self.writer.req_valid.next =
            self.mem_req_valid.val() & self.mem_req_rw.val() & !self.reader.line_in_flight.val();
        self.writer.req_line.next = self.mem_req_addr.val();
        self.writer.req_byteen.next = self.mem_req_byteen.val();
        for w in 0..self._words {
            self.writer.req_data[w].next = self.mem_req_data[w].val();
            self.mem_rsp_data[w].next = self.reader.rsp_data[w].val();
        }
        self.mem_rsp_valid.next = self.reader.rsp_valid.val();
        self.mem_rsp_tag.next = self.reader.rsp_tag.val();
        self.reader.rsp_ready.next = self.mem_rsp_ready.val();
        comment!("2. the writer's channels");
        self.awvalid.next = self.writer.awvalid.val();
        self.awaddr.next = self.writer.awaddr.val();
        self.awlen.next = self.writer.awlen.val();
        self.writer.awready.next = self.awready.val();
        self.wvalid.next = self.writer.wvalid.val();
        self.wlast.next = self.writer.wlast.val();
        self.writer.wready.next = self.wready.val();
        self.writer.bvalid.next = self.bvalid.val();
        self.writer.bresp.next = self.bresp.val();
        self.bready.next = true;
        self.writes_pending.next = self.writer.pending.val();
        comment!("3. the reader's channels");
        self.arvalid.next = self.reader.arvalid.val();
        self.arid.next = self.reader.arid.val();
        self.araddr.next = self.reader.araddr.val();
        self.arlen.next = self.line_beats.val();
        self.arprot.next = self.reader.arprot.val();
        self.reader.arready.next = self.arready.val();
        self.axsize.next = self.beat_size.val();
        self.reader.rvalid.next = self.rvalid.val();
        self.reader.rid.next = self.rid.val();
        self.reader.rresp.next = self.rresp.val();
        self.reader.rlast.next = self.rlast.val();
        self.rready.next = true;
        for lane in 0..self._lanes {
            self.wdata[lane].next = self.writer.wdata[lane].val();
            self.wstrb[lane].next = self.writer.wstrb[lane].val();
            self.reader.rdata[lane].next = self.rdata[lane].val();
        }
        comment!("4. failures");
        self.error_valid.next = self.reader.error_valid.val() | self.writer.error_valid.val();
        self.error_line.next = self.reader.error_line.val();
        if self.writer.error_valid.val() {
            self.error_line.next = self.writer.error_line.val();
        }
    }
}
