//! The memory on the core's bus, whichever bus that is.

use model::Memory;
use spec::config::CoreConfig;

use super::memory::axi::{Address, AxiMemory, Master, WriteBeat, BEAT_WORDS};
use super::memory::{Bus, BusError, Request, RowStats};
use super::options::RunOptions;
use super::ports::{AxiPorts, BusPorts, NativePorts};
use super::verilator::{Model, PortRef};

/// A memory and the ports that it is connected to.
pub(super) enum Link {
    Native(Box<NativePorts>, Box<Bus>),
    Axi(Box<AxiPorts>, Box<AxiMemory>),
}

impl Link {
    pub(super) fn new(ports: BusPorts, cfg: &CoreConfig, memory: Memory, options: &RunOptions) -> Self {
        let RunOptions { memory: kind, disturbance, seed, .. } = *options;
        match ports {
            BusPorts::Native(ports) => {
                Self::Native(ports, Box::new(Bus::new(memory, kind, disturbance, seed)))
            }
            BusPorts::Axi(ports) => {
                let width = cfg.axi_data_bits as u32 / 8;
                Self::Axi(ports, Box::new(AxiMemory::new(memory, kind, disturbance, seed, width)))
            }
        }
    }

    /// The memory's outputs as they are in reset.
    pub(super) fn silence(&self, model: &mut Model) {
        match self {
            Self::Native(ports, _) => {
                model.set(ports.mem_req_ready, 0);
                model.set(ports.mem_rsp_valid, 0);
            }
            Self::Axi(ports, _) => {
                let ports = &ports.channels;
                for port in [
                    ports.m_axi_awready,
                    ports.m_axi_wready,
                    ports.m_axi_arready,
                    ports.m_axi_bvalid,
                    ports.m_axi_rvalid,
                ] {
                    model.set(port, 0);
                }
            }
        }
    }

    /// A clock edge in reset.
    pub(super) fn reset(&mut self, model: &Model) -> Result<(), BusError> {
        match self {
            Self::Native(..) => Ok(()),
            Self::Axi(ports, memory) => memory.reset(&master(model, ports)),
        }
    }

    /// First half of the cycle: the memory drives its side.
    #[inline]
    pub(super) fn drive(&self, model: &mut Model) {
        match self {
            Self::Native(ports, bus) => {
                model.set(ports.mem_req_ready, u8::from(bus.ready()));
                let response = bus.response();
                model.set(ports.mem_rsp_valid, u8::from(response.is_some()));
                if let Some(response) = response {
                    model.set(ports.mem_rsp_data, response.data);
                    model.set(ports.mem_rsp_tag, response.tag);
                }
            }
            Self::Axi(ports, memory) => {
                let AxiPorts { channels: ports, rdata, .. } = &**ports;
                let slave = memory.drive();
                model.set(ports.m_axi_awready, u8::from(slave.awready));
                model.set(ports.m_axi_wready, u8::from(slave.wready));
                model.set(ports.m_axi_arready, u8::from(slave.arready));
                model.set(ports.m_axi_bvalid, u8::from(slave.b.is_some()));
                model.set(ports.m_axi_rvalid, u8::from(slave.r.is_some()));
                if let Some(b) = slave.b {
                    model.set(ports.m_axi_bid, b.id);
                    model.set(ports.m_axi_bresp, b.resp);
                }
                if let Some(r) = &slave.r {
                    model.set(ports.m_axi_rid, r.id);
                    model.set(ports.m_axi_rresp, r.resp);
                    model.set(ports.m_axi_rlast, u8::from(r.last));
                    if rdata.width() > 64 {
                        model.write_words(*rdata, &r.data);
                    } else {
                        model.write(*rdata, u64::from(r.data[0]) | u64::from(r.data[1]) << 32);
                    }
                }
            }
        }
    }

    /// Second half: the memory takes what the core drives, before the clock rises.
    #[inline]
    pub(super) fn clock(&mut self, model: &Model) -> Result<(), BusError> {
        match self {
            Self::Native(ports, bus) => {
                let taken = bus.response().is_some() && model.get(ports.mem_rsp_ready) != 0;
                bus.clock(request(model, ports), taken)
            }
            Self::Axi(ports, memory) => memory.clock(&master(model, ports)),
        }
    }

    /// Whether a read and a write are accepted in this cycle, and whether a line arrives; `None` on a bus whose
    /// beats are not the core's requests.
    #[inline]
    pub(super) fn beats(&self, model: &Model) -> Option<(bool, bool, bool)> {
        let Self::Native(ports, _) = self else { return None };
        let accepted = model.get(ports.mem_req_valid) & model.get(ports.mem_req_ready) != 0;
        let write = model.get(ports.mem_req_rw) != 0;
        let response = model.get(ports.mem_rsp_valid) & model.get(ports.mem_rsp_ready) != 0;
        Some((accepted && !write, accepted && write, response))
    }

    /// Writes that an AXI4 memory has accepted.
    pub(super) fn axi_writes(&self) -> Option<u64> {
        match self {
            Self::Native(..) => None,
            Self::Axi(_, memory) => Some(memory.accepted_writes()),
        }
    }

    /// What must hold when the core is no longer busy.
    pub(super) fn finish(&self) -> Result<(), BusError> {
        match self {
            Self::Native(..) => Ok(()),
            Self::Axi(_, memory) => memory.finish().map_err(BusError::Axi),
        }
    }

    pub(super) fn memory(&self) -> &Memory {
        match self {
            Self::Native(_, bus) => &bus.memory,
            Self::Axi(_, memory) => memory.memory(),
        }
    }

    pub(super) fn into_memory(self) -> Memory {
        match self {
            Self::Native(_, bus) => bus.memory,
            Self::Axi(_, memory) => memory.into_memory(),
        }
    }

    pub(super) fn awaits_data(&self) -> bool {
        match self {
            Self::Native(_, bus) => bus.awaits_data(),
            Self::Axi(_, memory) => memory.awaits_data(),
        }
    }

    pub(super) fn accepted(&self) -> u64 {
        match self {
            Self::Native(_, bus) => bus.accepted(),
            Self::Axi(_, memory) => memory.accepted(),
        }
    }

    pub(super) fn rows(&self) -> Option<RowStats> {
        match self {
            Self::Native(_, bus) => bus.rows(),
            Self::Axi(_, memory) => memory.rows(),
        }
    }
}

#[inline]
fn request(model: &Model, ports: &NativePorts) -> Option<Request> {
    if model.get(ports.mem_req_valid) == 0 {
        return None;
    }
    let write = model.get(ports.mem_req_rw) != 0;
    Some(Request {
        write,
        address: model.get(ports.mem_req_addr) << 6,
        // Neither means anything in a read, so they need not be stable there either.
        byteen: if write { model.get(ports.mem_req_byteen) } else { 0 },
        data: if write { model.get(ports.mem_req_data) } else { [0; 16] },
        tag: model.get(ports.mem_req_tag),
    })
}

/// What the core drives on AXI4.
#[inline]
fn master(model: &Model, AxiPorts { channels: ports, wdata, wstrb, .. }: &AxiPorts) -> Master {
    let on = |port| model.get(port) != 0;
    let aw = on(ports.m_axi_awvalid).then(|| Address {
        id: model.get(ports.m_axi_awid),
        address: model.get(ports.m_axi_awaddr),
        len: model.get(ports.m_axi_awlen),
        size: model.get(ports.m_axi_awsize),
        burst: model.get(ports.m_axi_awburst),
        prot: model.get(ports.m_axi_awprot),
        cache: model.get(ports.m_axi_awcache),
    });
    let ar = on(ports.m_axi_arvalid).then(|| Address {
        id: model.get(ports.m_axi_arid),
        address: model.get(ports.m_axi_araddr),
        len: model.get(ports.m_axi_arlen),
        size: model.get(ports.m_axi_arsize),
        burst: model.get(ports.m_axi_arburst),
        prot: model.get(ports.m_axi_arprot),
        cache: model.get(ports.m_axi_arcache),
    });
    let w = on(ports.m_axi_wvalid).then(|| WriteBeat {
        data: words(model, *wdata),
        strobes: model.read(*wstrb),
        last: on(ports.m_axi_wlast),
    });
    Master { aw, w, bready: on(ports.m_axi_bready), ar, rready: on(ports.m_axi_rready) }
}

fn words(model: &Model, port: PortRef) -> [u32; BEAT_WORDS] {
    let mut words = [0; BEAT_WORDS];
    for (i, word) in words.iter_mut().enumerate().take(port.width() as usize / 32) {
        *word = model.bits(port, 32 * i as u32, 32);
    }
    words
}
