//! The CSRs of a grid's blocks.
use crate::prelude::*;
use isa::csr;
use spec::config::LOCAL_MEM_BASE;

module! {
    /// Remembers which block is in each CTA slot, and where each lane's thread is in its block.
    ///
    /// Ports: below. Latency: reads are combinational, writes show in the next cycle. Reset: none; before the first
    /// grid it reads 0. Critical path: CTA slot of the warp (W:1), LUT RAM read, OR of the values. Source:
    /// docs/ISA.md, section 4; the numbers are Vortex 3's. Mirror in the model: csr.
    pub struct CtaCsrs(cfg: &CoreConfig) [clock]
    let (w, t, wid) = (cfg.warps, cfg.threads, cfg.wid_bits());
    let words = w.max(2);
    {
        /// CSR number.
        pub number: Signal<In, Bits<12>>,
        /// Warp of the access.
        pub wid: Signal<In, WarpId> = signal(wid),
        /// The grid.
        pub grid: GridView<In> = GridView::new(cfg),
        /// Where its warps start.
        pub start_pc: Signal<In, Bits<32>>,
        /// What all lanes read.
        pub value: Signal<Out, Bits<32>>,
        /// What each lane reads beside it, 0 for the numbers of others.
        pub coordinate: Vec<Signal<Out, Bits<10>>> = signals(t, COORDINATE_BITS),
        /// Of each CTA slot the block: its number, and above it its places along x, y, z.
        blocks: LutRam<128> = LutRam::new(128, cfg.ctas().max(2)),
        /// Of each rank and lane the thread: its coordinates along x, y, z.
        threads: Vec<LutRam<30>> = (0..t).map(|_| LutRam::new(3 * COORDINATE_BITS, words)).collect(),
        block: Signal<Local, Bits<128>>,
        place: Signal<Local, Bits<30>>,
        slot: Signal<Local, WarpId> = signal(cfg.cta_bits()),
        rank: Signal<Local, WarpId> = signal(wid),
        id: Const<Bits<12>> = constant(12, csr::CTA_ID.into()),
        rank_number: Const<Bits<12>> = constant(12, csr::CTA_RANK.into()),
        size: Const<Bits<12>> = constant(12, csr::CTA_SIZE.into()),
        thread_id: Const<Bits<12>> = constant(12, csr::CTA_THREAD_ID.into()),
        block_id: Const<Bits<12>> = constant(12, csr::CTA_BLOCK_ID.into()),
        block_dim: Const<Bits<12>> = constant(12, csr::CTA_BLOCK_DIM.into()),
        grid_dim: Const<Bits<12>> = constant(12, csr::CTA_GRID_DIM.into()),
        lmem_addr: Const<Bits<12>> = constant(12, csr::CTA_LMEM_ADDR.into()),
        cluster_size: Const<Bits<12>> = constant(12, csr::CTA_CLUSTER_SIZE.into()),
        entry: Const<Bits<12>> = constant(12, csr::CTA_ENTRY.into()),
        local_memory: Const<Bits<32>> = constant(32, LOCAL_MEM_BASE.into()),
        _warps: usize = w,
        _t: usize = t,
        _axes: usize = 3,
    }
}

impl Logic for CtaCsrs {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the warp's CTA slot, and its rank there");
        self.slot.next = 0.into();
        self.rank.next = 0.into();
        for i in 0..self._warps {
            if self.wid.val() == i.to_bits::<WID_BITS>() {
                self.slot.next = self.grid.map.slot[i].val();
                self.rank.next = self.grid.map.rank[i].val();
            }
        }
        comment!("2. what becomes known of blocks and threads");
        self.block.next = bit_cast::<128, 32>(self.grid.start.id.val())
            | (bit_cast::<128, 32>(self.grid.start.x.val()) << 32)
            | (bit_cast::<128, 32>(self.grid.start.y.val()) << 64)
            | (bit_cast::<128, 32>(self.grid.start.z.val()) << 96);
        self.blocks.write_enable.next = self.grid.start.valid.val();
        self.blocks.write_address.next = bit_cast::<16, WID_BITS>(self.grid.start.slot.val());
        self.blocks.write_data.next = self.block.val();
        self.place.next = bit_cast::<30, 10>(self.grid.thread.x.val())
            | (bit_cast::<30, 10>(self.grid.thread.y.val()) << 10)
            | (bit_cast::<30, 10>(self.grid.thread.z.val()) << 20);
        for i in 0..self._t {
            self.threads[i].write_enable.next =
                self.grid.thread.valid.val() & self.grid.thread.lane_oh.val().get_bit(i);
            self.threads[i].write_address.next = bit_cast::<16, WID_BITS>(self.grid.thread.rank.val());
            self.threads[i].write_data.next = self.place.val();
            self.threads[i].read_address.next = bit_cast::<16, WID_BITS>(self.rank.val());
        }
        self.blocks.read_address.next = bit_cast::<16, WID_BITS>(self.slot.val());
        comment!("3. read; before the first grid most of it is 0");
        self.value.next = 0.into();
        if self.grid.map.in_grid.val() {
            if self.number.val() == self.id.val() {
                self.value.next = self.blocks.read_data.val().get_bits::<32>(0);
            }
            if self.number.val() == self.rank_number.val() {
                self.value.next = bit_cast::<32, WID_BITS>(self.rank.val());
            }
            if self.number.val() == self.size.val() {
                self.value.next = bit_cast::<32, WARP_COUNT_BITS>(self.grid.map.size.val());
            }
            for axis in 0..self._axes {
                if self.number.val() == self.block_id.val() + axis.to_bits::<12>() {
                    self.value.next = self.blocks.read_data.val().get_bits::<32>(axis * 32 + 32);
                }
            }
            if self.number.val() == self.block_dim.val() {
                self.value.next = bit_cast::<32, 11>(self.grid.shape.block_x.val());
            }
            if self.number.val() == self.block_dim.val() + 1 {
                self.value.next = bit_cast::<32, 11>(self.grid.shape.block_y.val());
            }
            if self.number.val() == self.block_dim.val() + 2 {
                self.value.next = bit_cast::<32, 11>(self.grid.shape.block_z.val());
            }
            if self.number.val() == self.grid_dim.val() {
                self.value.next = self.grid.shape.grid_x.val();
            }
            if self.number.val() == self.grid_dim.val() + 1 {
                self.value.next = self.grid.shape.grid_y.val();
            }
            if self.number.val() == self.grid_dim.val() + 2 {
                self.value.next = self.grid.shape.grid_z.val();
            }
        }
        if self.number.val() == self.lmem_addr.val() {
            self.value.next = self.local_memory.val();
        }
        if self.number.val() == self.cluster_size.val() {
            self.value.next = 1.into();
        }
        if self.number.val() == self.entry.val() {
            self.value.next = self.start_pc.val();
        }
        comment!("4. what each lane reads for itself, of the three axes one");
        for i in 0..self._t {
            self.coordinate[i].next = 0.into();
            if self.grid.map.in_grid.val() {
                for axis in 0..self._axes {
                    if self.number.val() == self.thread_id.val() + axis.to_bits::<12>() {
                        self.coordinate[i].next = self.threads[i].read_data.val().get_bits::<10>(axis * 10);
                    }
                }
            }
        }
    }
}
