//! The device under test: a Verilated core and the memory linked to it, one clock cycle at a time.
//!
//! What is written to a port of the model is there from the next rising edge on: see [`super::bench`].

use std::collections::VecDeque;

use super::link::Link;
use super::memory::BusError;
use super::options::{RunOptions, Wave};
use super::ports::{CorePorts, LaunchPorts};
use model::GridLaunch;

use super::verilator::{Error, Model, Result};

/// Cycles for which reset is held; one would do (docs/ISA.md, section 7).
const RESET_CYCLES: u32 = 10;

/// A fault that the core reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreFault {
    /// The warp.
    pub wid: usize,
    /// The faulting instruction.
    pub pc: u32,
    /// The number of [`Cause`](model::Cause).
    pub cause: u8,
    /// The offending address, for causes that have one.
    pub address: u32,
}

/// A core in the middle of a run.
pub(super) struct Core {
    pub(super) model: Model,
    ports: CorePorts,
    launch_ports: Option<LaunchPorts>,
    /// Grids that have yet to be taken; the first is on the launch port.
    grids: VecDeque<GridLaunch>,
    /// Whether it is there in this cycle.
    launches: bool,
    pub(super) link: Link,
    /// Cycles since reset was released.
    pub(super) cycle: u64,
    wave: Option<Wave>,
}

impl Core {
    /// Resets the core, with what the host tells it on its ports: where warp 0 starts, unless grids are launched, and the rest.
    pub(super) fn start(
        mut model: Model,
        ports: CorePorts,
        launch_ports: Option<LaunchPorts>,
        link: Link,
        start_pc: u32,
        options: &RunOptions,
    ) -> Result<Self> {
        let wave = options.wave.clone();
        if let Some(wave) = &wave {
            model.trace_open(&wave.path)?;
        }
        model.set(ports.start_pc, start_pc);
        model.set(ports.start_arg, options.start_arg);
        model.set(ports.mpm_class, options.mpm_class);
        link.silence(&mut model);
        if let Some(ports) = &launch_ports {
            // Bare unless a grid is presented.
            model.set(ports.launch_valid, 0);
        }
        model.set(ports.reset, 1);
        let grids = options.launches.iter().cloned().collect();
        let mut core = Self { model, ports, launch_ports, grids, launches: false, link, cycle: 0, wave };
        core.present();
        for _ in 0..RESET_CYCLES {
            core.level(1)?;
            core.level(0)?;
            core.link.reset(&core.model).map_err(|error| Error::Stopped(error.to_string()))?;
        }
        core.model.set(ports.reset, 0);
        core.rise()?;
        Ok(core)
    }

    /// Puts the next grid, if there is one, on the launch port, from the next cycle on.
    pub(super) fn present(&mut self) {
        let (Some(ports), Some(grid)) = (&self.launch_ports, self.grids.front()) else { return };
        let model = &mut self.model;
        model.set(self.ports.start_pc, grid.entry);
        model.set(self.ports.start_arg, grid.arg);
        let [x, y, z] = grid.grid;
        model.set(ports.launch_grid_x, x);
        model.set(ports.launch_grid_y, y);
        model.set(ports.launch_grid_z, z);
        // The core has been asked whether it can run it.
        let [x, y, z] = grid.block.map(|length| length as u16);
        model.set(ports.launch_block_x, x);
        model.set(ports.launch_block_y, y);
        model.set(ports.launch_block_z, z);
        model.set(ports.launch_local_bytes, grid.local_bytes as u16);
        model.set(ports.launch_valid, 1);
    }

    /// The grid that the core takes in this cycle.
    #[inline]
    pub(super) fn taken(&self) -> Option<&GridLaunch> {
        let ports = self.launch_ports.as_ref()?;
        self.grids.front().filter(|_| self.launches && self.model.get(ports.launch_ready) != 0)
    }

    /// Whether there is a grid that has not been taken.
    pub(super) fn has_more(&self) -> bool {
        !self.grids.is_empty()
    }

    /// Ends the cycle: the bus takes the request, and the clock rises. Afterwards the model shows the next cycle.
    #[inline]
    pub(super) fn clock(&mut self) -> Result<std::result::Result<(), BusError>> {
        let bus = self.link.clock(&self.model);
        if let (Some(_), Some(ports)) = (self.taken(), &self.launch_ports) {
            self.model.set(ports.launch_valid, 0);
            self.grids.pop_front();
        }
        self.cycle += 1;
        self.rise()?;
        Ok(bus)
    }

    /// A rising edge: the core's inputs, outputs and registers take the values that they have in the cycle that begins.
    #[inline]
    fn rise(&mut self) -> Result<()> {
        self.link.drive(&mut self.model);
        self.launches = self.launch_ports.is_some_and(|ports| self.model.get(ports.launch_valid) != 0);
        self.level(1)?;
        self.dump(0);
        self.level(0)?;
        self.dump(1);
        Ok(())
    }

    /// Whether a warp is active or anything pending.
    #[inline]
    pub(super) fn busy(&self) -> bool {
        self.model.get(self.ports.busy) != 0
    }

    #[inline]
    pub(super) fn fault(&self) -> Option<CoreFault> {
        let Self { model, ports, .. } = self;
        (model.get(ports.fault_valid) != 0).then(|| CoreFault {
            wid: usize::from(model.get(ports.fault_wid)),
            pc: model.get(ports.fault_pc),
            cause: model.get(ports.fault_cause),
            address: model.get(ports.fault_addr),
        })
    }

    #[inline]
    fn level(&mut self, clock: u8) -> Result<()> {
        self.model.set(self.ports.clock, clock);
        match self.model.eval()? {
            super::verilator::Status::Running => Ok(()),
            super::verilator::Status::Finished => Err(Error::Stopped("unexpected $finish".into())),
        }
    }

    #[inline]
    fn dump(&mut self, half: u64) {
        if let Some(wave) = &self.wave {
            if wave.window.contains(self.cycle) {
                self.model.trace_dump(2 * self.cycle + half);
            }
        }
    }

    /// Ends the run and gives back what it left in memory.
    ///
    /// # Errors
    /// The wave file could not be written.
    pub(super) fn finish(mut self) -> Result<Link> {
        self.model.trace_close()?;
        Ok(self.link)
    }
}
