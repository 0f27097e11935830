//! The core's top-level ports, as the harness reads and drives them.

use spec::config::BusKind;

use super::elements::Elements;
use super::scheduler_views;
use super::verilator::{ModelLib, PortRef, Result};

/// The input of a simulator of several cores that selects a fetch scheduler, by its number.
pub(super) const SELECT_FETCH: &str = "select_fetch";
/// The same of the issue scheduler, or of a unified one.
pub(super) const SELECT_ISSUE: &str = "select_issue";

crate::ports! {
    /// Ports whose width is the same in every configuration.
    pub(super) struct CorePorts {
        clock, reset: u8;
        start_pc, start_arg: u32;
        mpm_class, busy, fault_valid, fault_wid: u8;
        fault_pc: u32;
        fault_cause: u8;
        fault_addr: u32;
    }
}

crate::ports! {
    /// The launch port of a core that runs grids.
    pub(super) struct LaunchPorts {
        launch_valid, launch_ready: u8;
        launch_grid_x, launch_grid_y, launch_grid_z: u32;
        launch_block_x, launch_block_y, launch_block_z, launch_local_bytes: u16;
    }
}

crate::ports! {
    /// The line bus.
    pub(super) struct NativePorts {
        mem_req_valid, mem_req_rw: u8;
        mem_req_byteen: u64;
        mem_req_addr: u32;
        mem_req_data: [u32; 16];
        mem_req_tag, mem_req_ready, mem_rsp_valid: u8;
        mem_rsp_data: [u32; 16];
        mem_rsp_tag, mem_rsp_ready: u8;
    }
}

crate::ports! {
    /// The AXI4 channels, but for the data, whose width depends on the configuration.
    pub(super) struct AxiChannels {
        m_axi_awvalid, m_axi_awready, m_axi_awid, m_axi_awlen, m_axi_awsize: u8;
        m_axi_awburst, m_axi_awcache, m_axi_awprot: u8;
        m_axi_wvalid, m_axi_wready, m_axi_wlast: u8;
        m_axi_bvalid, m_axi_bready, m_axi_bid, m_axi_bresp: u8;
        m_axi_arvalid, m_axi_arready, m_axi_arid, m_axi_arlen, m_axi_arsize: u8;
        m_axi_arburst, m_axi_arcache, m_axi_arprot: u8;
        m_axi_rvalid, m_axi_rready, m_axi_rid, m_axi_rresp, m_axi_rlast: u8;
        m_axi_awaddr, m_axi_araddr: u32;
    }
}

/// AXI4.
#[derive(Clone, Copy)]
pub(super) struct AxiPorts {
    pub(super) channels: AxiChannels,
    pub(super) wdata: PortRef,
    pub(super) wstrb: PortRef,
    pub(super) rdata: PortRef,
}

/// The ports of the configured bus.
#[derive(Clone)]
pub(super) enum BusPorts {
    Native(Box<NativePorts>),
    Axi(Box<AxiPorts>),
}

impl BusPorts {
    pub(super) fn bind(library: &ModelLib, bus: BusKind) -> Result<Self> {
        Ok(match bus {
            BusKind::Native => Self::Native(Box::new(NativePorts::bind(library)?)),
            BusKind::Axi4 => Self::Axi(Box::new(AxiPorts {
                channels: AxiChannels::bind(library)?,
                wdata: library.port_ref("m_axi_wdata")?,
                wstrb: library.port_ref("m_axi_wstrb")?,
                rdata: library.port_ref("m_axi_rdata")?,
            })),
        })
    }
}

crate::trace_signals! {
    /// What the oracles tell: in this cycle, one bit a slice, and in all before it.
    OraclePorts {
        discrepancy, error: PortRef;
        discrepancies, errors: Elements;
    }

    /// What the trace port shows of what warps are shared by: masks of slices by class, and of warps.
    SharingPorts {
        room, full, waiting_warps: Elements;
    }

    /// What the trace port shows of the operand collectors; arrays are over slices, or slices and classes.
    CollectPorts {
        leaves, leaves_wid, free, room, waits: Elements;
    }

    /// The performance counter whose total the core brings up to date in this cycle.
    CounterPorts {
        number, total: PortRef;
    }

    /// The trace port: what the hardware did in a cycle, and what its schedulers saw, as far as the harness reads it;
    /// `rtl::bundles::Trace` says what each signal is.
    TracePorts {
        issue_valid, operand_stall: PortRef;
        issue_wid, issue_pc, issue_instr, issue_tmask: Elements;
        commit_valid, commit_last: PortRef;
        commit_wid, commit_rd, commit_tmask, commit_data: Elements;
        commit_flags: Option<Elements>;
        access_valid, access_store: PortRef;
        access_wid, access_pc, access_tmask, access_funct3, access_addr, access_data: Elements;
        stall_ibuffer, stall_control, stall_scoreboard, stall_pipeline: PortRef;
        waiting_warps, full_queue_warps, flush_warps: PortRef;
        icache_hit, icache_miss: PortRef;
        dcache_read, dcache_write, dcache_read_miss, dcache_write_miss: PortRef;
        dcache_mshr_stall, dcache_bank_stall: PortRef;
        dcache_mshrs_in_use: Elements;
        local_read, local_write, local_lanes, local_bank_stall: PortRef;
        bus_read, bus_write, bus_response: PortRef;
        fetch, issue_sched: scheduler_views::StageView;
        fetch_grant_oh, issue_sched_grant_oh: Elements;
        core as "trace": scheduler_views::CoreView;
        oracles as "trace": Option<OraclePorts>;
        collect: Option<CollectPorts>;
        sharing: Option<SharingPorts>;
        counter: Option<CounterPorts>;
    }
}
