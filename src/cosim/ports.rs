//! The core's top-level ports, as the harness reads and drives them.

use model::sched::CLASSES;
use spec::config::{BusKind, CoreConfig};

use super::elements::Elements;
use super::seen::{self, Bind, Shape};
use super::verilator::{ModelLib, PortRef, Result};

/// The input of a simulator of several cores that selects a fetch scheduler, by its number.
pub(super) const SELECT_FETCH: &str = "select_fetch";
/// The same of the issue scheduler, or of a unified one.
pub(super) const SELECT_ISSUE: &str = "select_issue";

crate::ports! {
    /// Ports whose width is the same in every configuration.
    pub(super) struct CorePorts {
        clock: u8,
        reset: u8,
        start_pc: u32,
        start_arg: u32,
        mpm_class: u8,
        busy: u8,
        fault_valid: u8,
        fault_wid: u8,
        fault_pc: u32,
        fault_cause: u8,
        fault_addr: u32,
    }
}

crate::ports! {
    /// The launch port of a core that runs grids.
    pub(super) struct LaunchPorts {
        launch_valid: u8,
        launch_ready: u8,
        launch_grid_x: u32,
        launch_grid_y: u32,
        launch_grid_z: u32,
        launch_block_x: u16,
        launch_block_y: u16,
        launch_block_z: u16,
        launch_local_bytes: u16,
    }
}

crate::ports! {
    /// The line bus.
    pub(super) struct NativePorts {
        mem_req_valid: u8,
        mem_req_rw: u8,
        mem_req_byteen: u64,
        mem_req_addr: u32,
        mem_req_data: [u32; 16],
        mem_req_tag: u8,
        mem_req_ready: u8,
        mem_rsp_valid: u8,
        mem_rsp_data: [u32; 16],
        mem_rsp_tag: u8,
        mem_rsp_ready: u8,
    }
}

crate::ports! {
    /// The AXI4 channels, but for the data, whose width depends on the configuration.
    pub(super) struct AxiChannels {
        m_axi_awvalid: u8,
        m_axi_awready: u8,
        m_axi_awid: u8,
        m_axi_awaddr: u32,
        m_axi_awlen: u8,
        m_axi_awsize: u8,
        m_axi_awburst: u8,
        m_axi_awcache: u8,
        m_axi_awprot: u8,
        m_axi_wvalid: u8,
        m_axi_wready: u8,
        m_axi_wlast: u8,
        m_axi_bvalid: u8,
        m_axi_bready: u8,
        m_axi_bid: u8,
        m_axi_bresp: u8,
        m_axi_arvalid: u8,
        m_axi_arready: u8,
        m_axi_arid: u8,
        m_axi_araddr: u32,
        m_axi_arlen: u8,
        m_axi_arsize: u8,
        m_axi_arburst: u8,
        m_axi_arcache: u8,
        m_axi_arprot: u8,
        m_axi_rvalid: u8,
        m_axi_rready: u8,
        m_axi_rid: u8,
        m_axi_rresp: u8,
        m_axi_rlast: u8,
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

/// What the oracles tell: in this cycle, one bit a slice, and in all before it.
#[derive(Clone, Copy)]
pub(super) struct OraclePorts {
    pub(super) discrepancy: PortRef,
    pub(super) error: PortRef,
    pub(super) discrepancies: Elements,
    pub(super) errors: Elements,
}

impl OraclePorts {
    fn bind(library: &ModelLib, cfg: &CoreConfig) -> Result<Self> {
        Ok(Self {
            discrepancy: library.port_ref("trace_discrepancy")?,
            error: library.port_ref("trace_error")?,
            discrepancies: Elements::bind(library, "trace_discrepancies", cfg.slices)?,
            errors: Elements::bind(library, "trace_errors", cfg.slices)?,
        })
    }
}

/// What the trace port shows of what warps are shared by: masks of slices by class, and of warps.
#[derive(Clone, Copy)]
pub(super) struct SharingPorts {
    pub(super) room: Elements,
    pub(super) full: Elements,
    pub(super) waiting_warps: Elements,
}

impl SharingPorts {
    fn bind(library: &ModelLib) -> Result<Self> {
        Ok(Self {
            room: Elements::bind(library, "trace_sharing_room", CLASSES.len())?,
            full: Elements::bind(library, "trace_sharing_full", CLASSES.len())?,
            waiting_warps: Elements::bind(library, "trace_sharing_waiting_warps", 2)?,
        })
    }
}

/// What the trace port shows of the operand collectors; arrays are over slices, or slices and classes.
#[derive(Clone, Copy)]
pub(super) struct CollectPorts {
    pub(super) leaves: Elements,
    pub(super) leaves_wid: Elements,
    pub(super) free: Elements,
    pub(super) room: Elements,
    pub(super) waits: Elements,
}

impl CollectPorts {
    fn bind(library: &ModelLib, cfg: &CoreConfig) -> Result<Self> {
        let bind = |name, count| Elements::bind(library, &format!("trace_collect_{name}"), count);
        let classes = cfg.slices * CLASSES.len();
        Ok(Self {
            leaves: bind("leaves", cfg.slices)?,
            leaves_wid: bind("leaves_wid", cfg.slices)?,
            free: bind("free", classes)?,
            room: bind("room", classes)?,
            waits: bind("waits", cfg.slices)?,
        })
    }
}

/// The performance counter whose total the core brings up to date in this cycle.
#[derive(Clone, Copy)]
pub(super) struct CounterPorts {
    pub(super) number: PortRef,
    pub(super) total: PortRef,
}

impl CounterPorts {
    fn bind(library: &ModelLib) -> Result<Self> {
        let bind = |name| library.port_ref(name);
        Ok(Self { number: bind("trace_counter_number")?, total: bind("trace_counter_total")? })
    }
}

macro_rules! trace_ports {
    (
        ($cfg:ident)
        arrays { $($(#[$meta:meta])* $name:ident: $count:expr,)* }
        optional { $($(#[$optional_meta:meta])* $optional:ident: $present:expr => $optional_count:expr,)* }
        plain { $($(#[$plain_meta:meta])* $plain:ident,)* }
    ) => {
        /// The trace port: what the hardware did in a cycle, and what its schedulers saw.
        ///
        /// Masks have one bit a warp; arrays have one element a slice, or a slice and lane.
        #[derive(Clone, Copy)]
        pub(super) struct TracePorts {
            $($(#[$meta])* pub(super) $name: Elements,)*
            $($(#[$optional_meta])* pub(super) $optional: Option<Elements>,)*
            $($(#[$plain_meta])* pub(super) $plain: PortRef,)*
            /// What each slice's fetch scheduler sees of its stage.
            pub(super) fetch: seen::StageView,
            /// What each slice's issue scheduler sees of it.
            pub(super) issue_sched: seen::StageView,
            /// What all schedulers see alike.
            pub(super) core: seen::CoreView,
            /// Those of the oracles, if the core has them.
            pub(super) oracles: Option<OraclePorts>,
            /// The operand collectors, if there are any.
            pub(super) collect: Option<CollectPorts>,
            /// What warps are shared by, if they are.
            pub(super) sharing: Option<SharingPorts>,
            /// The core's own performance counters, if it has them.
            pub(super) counter: Option<CounterPorts>,
        }

        impl TracePorts {
            pub(super) fn bind(library: &ModelLib, $cfg: &CoreConfig) -> Result<Self> {
                let warps = $cfg.warps;
                Ok(Self {
                    $($name: Elements::bind(library, concat!("trace_", stringify!($name)), $count)?,)*
                    $($optional: match $present {
                        true => Some(Elements::bind(
                            library,
                            concat!("trace_", stringify!($optional)),
                            $optional_count,
                        )?),
                        false => None,
                    },)*
                    $($plain: library.port_ref(concat!("trace_", stringify!($plain)))?,)*
                    fetch: seen::StageView::bind(
                        library,
                        "trace_fetch",
                        Shape { schedulers: $cfg.slices, warps },
                    )?,
                    issue_sched: seen::StageView::bind(
                        library,
                        "trace_issue_sched",
                        Shape { schedulers: $cfg.slices, warps },
                    )?,
                    core: seen::CoreView::bind(library, "trace", Shape { schedulers: 1, warps })?,
                    oracles: if $cfg.oracle { Some(OraclePorts::bind(library, $cfg)?) } else { None },
                    collect: if $cfg.collects() { Some(CollectPorts::bind(library, $cfg)?) } else { None },
                    sharing: if $cfg.shares_warps() { Some(SharingPorts::bind(library)?) } else { None },
                    counter: if $cfg.counters { Some(CounterPorts::bind(library)?) } else { None },
                })
            }
        }
    };
}

trace_ports! {
    (cfg)
    arrays {
    /// Instructions that issue in this cycle.
    issue_wid: cfg.slices,
    issue_pc: cfg.slices,
    issue_instr: cfg.slices,
    issue_tmask: cfg.slices,
    /// Results, or parts of them, that are written to the register file.
    commit_wid: cfg.slices,
    commit_rd: cfg.slices,
    commit_tmask: cfg.slices,
    commit_data: cfg.slices * cfg.threads,
    /// A load or store that the load-store unit begins.
    access_addr: cfg.threads,
    access_data: cfg.threads,
    /// MSHRs in use in each bank of the data cache.
    dcache_mshrs_in_use: cfg.line_paths(),
    /// What the issue schedulers grant.
    issue_sched_grant_oh: cfg.slices,
    /// What the fetch schedulers grant.
    fetch_grant_oh: cfg.slices,
    }
    optional {
    /// Exceptions of the instructions whose results are written.
    commit_flags: cfg.fpu => cfg.slices,
    }
    plain {
    /// One bit a slice.
    issue_valid,
    commit_valid,
    commit_last,
    operand_stall,
    access_valid,
    access_store,
    access_wid,
    access_pc,
    access_tmask,
    access_funct3,
    /// Why a warp does not issue.
    stall_ibuffer,
    stall_control,
    stall_scoreboard,
    stall_unit,
    waiting_warps,
    full_queue_warps,
    flush_warps,
    /// Lookups of the instruction cache.
    icache_hit,
    icache_miss,
    /// Lookups of the data cache, and what waits for it: a bit a bank.
    dcache_read,
    dcache_write,
    dcache_read_miss,
    dcache_write_miss,
    dcache_stall_on_mshr,
    dcache_stall_on_bank,
    /// Lanes that local memory serves, and whether others wait.
    local_read,
    local_write,
    local_lanes,
    local_stall,
    /// Requests and lines between the caches and the bus, or what speaks AXI4.
    bus_read,
    bus_write,
    bus_response,
    }
}
