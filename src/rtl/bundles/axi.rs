//! AXI4, of which the core is a master.
use crate::prelude::*;

bundle! {
    /// The channels of writes. L words a beat.
    pub struct AxiWrite(cfg: &CoreConfig) {
        let lanes = cfg.axi_data_bits / 32;
        forward {
            /// Write address channel: a burst is announced.
            awvalid: Bit,
            /// Always 0: writes are performed in order.
            awid: Bits<4>,
            /// Byte address of the first beat.
            awaddr: Bits<32>,
            /// Beats less one.
            awlen: Bits<8>,
            /// Bytes in a beat, as a power of two.
            awsize: Bits<3>,
            /// INCR.
            awburst: Bits<2>,
            /// Never.
            awlock: Bit,
            /// Modifiable and not bufferable: a response means that the write is done.
            awcache: Bits<4>,
            /// Data, secure, unprivileged.
            awprot: Bits<3>,
            /// None.
            awqos: Bits<4>,
            /// Write data channel: a beat is there.
            wvalid: Bit,
            /// L words.
            wdata: [Bits<32>; lanes],
            /// Bytes to write, 4 x L bits.
            wstrb: [Bits<4>; lanes],
            /// The burst's last beat.
            wlast: Bit,
            /// Write response channel: always 1.
            bready: Bit,
        }
        backward {
            /// The write address is accepted.
            awready: Bit,
            /// The beat to write is accepted.
            wready: Bit,
            /// The oldest write is answered.
            bvalid: Bit,
            /// Always 0.
            bid: Bits<4>,
            /// Bit 1: the write failed.
            bresp: Bits<2>,
        }
    }
}

bundle! {
    /// The channels of reads. L words a beat.
    pub struct AxiRead(cfg: &CoreConfig) {
        let lanes = cfg.axi_data_bits / 32;
        forward {
            /// Read address channel: a line is asked for.
            arvalid: Bit,
            /// Number of the read.
            arid: Bits<4>,
            /// Byte address of the line.
            araddr: Bits<32>,
            /// Beats less one.
            arlen: Bits<8>,
            /// Bytes in a beat, as a power of two.
            arsize: Bits<3>,
            /// INCR.
            arburst: Bits<2>,
            /// Never.
            arlock: Bit,
            /// Modifiable and not bufferable.
            arcache: Bits<4>,
            /// Secure, unprivileged; bit 2: instructions.
            arprot: Bits<3>,
            /// None.
            arqos: Bits<4>,
            /// Read data channel: always 1, for a buffer is reserved for each read.
            rready: Bit,
        }
        backward {
            /// The read address is accepted.
            arready: Bit,
            /// A beat that was read is there.
            rvalid: Bit,
            /// Number of the read.
            rid: Bits<4>,
            /// L words.
            rdata: [Bits<32>; lanes],
            /// Bit 1: the beat failed.
            rresp: Bits<2>,
            /// The burst's last beat.
            rlast: Bit,
        }
    }
}

bundle! {
    /// The five channels; ACLK is `clock`, ARESETn is `reset` inverted.
    pub struct Axi(cfg: &CoreConfig) {
        forward {
            /// Writes.
            write_: bundle AxiWrite(cfg),
            /// Reads.
            read_: bundle AxiRead(cfg),
        }
    }
}
