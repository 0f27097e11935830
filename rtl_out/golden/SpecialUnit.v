`default_nettype none

// Executes the special instructions of all slices, one a cycle, straight from the slices' collectors.
// Latency: taken in c, everything but the barrier signals comes from registers in c+1; `barrier.warps` in c+1, the
// barrier events in c. WSPAWN comes in the cycle after the caller became the only active warp.
// Reset: nothing held.
// Invariants: `wctl` comes with `resume_warps` of that warp; a faulting instruction does nothing else; WSPAWN waits
// outside the collectors, so that other warps can end.
module SpecialUnit (
  input wire         clock,                  // Rising edge moves the state.
  input wire         reset,                  // Synchronous, active high.
  // From the slices: an instruction.
  input wire         sfu_valid,              // An instruction is there.
  input wire         sfu_wid,                // Its warp.
  input wire  [5:0]  sfu_rd,                 // Destination register.
  input wire  [1:0]  sfu_tmask,              // Its lanes.

  input wire         sfu_use_rd,             // There is a destination.
  input wire  [2:0]  sfu_funct3,             // Minor opcode.

  input wire  [31:0] sfu_pc,                 // Its address.
  input wire  [31:0] sfu_instr,              // The instruction.
  input wire         sfu_csr,                // It is a CSR access.
  input wire         sfu_csr_imm,            // Its CSR operand is the immediate in the instruction.
  input wire         sfu_wctl,               // It is TMC, WSPAWN, SPLIT, JOIN or PRED.
  input wire         sfu_barrier,            // It is BAR.
  input wire         sfu_legal,              // It is a legal instruction.
  input wire         sfu_div,                // It is for the divider.
  input wire  [31:0] sfu_last_rs1,           // First register of the last active lane.
  input wire  [31:0] sfu_last_rs2,           // Second register of the last active lane.

  input wire  [31:0] sfu_rs1,                // First register of lane 0.
  input wire  [1:0]  sfu_flags,              // Bit 0 of each lane's first register.
  output wire        sfu_ready,              // It is taken in this cycle.

  // From the whole core: what CSRs show.
  input wire         issue_fire,             // Slices that issue.
  input wire  [1:0]  issue_tmask,            // Lanes of the instruction that each slice issues.
  input wire  [1:0]  active_warps,           // Warps that are active.
  input wire  [31:0] start_arg,              // Reset value of mscratch.
  input wire         running,                // The core runs.
  input wire         launch,                 // With a dispatcher: a grid is taken.
  // With a dispatcher: the grid.
  // What it looks like.
  input wire  [31:0] grid_shape_grid_x,      // Blocks along x.
  input wire  [31:0] grid_shape_grid_y,      // Blocks along y.
  input wire  [31:0] grid_shape_grid_z,      // Blocks along z.
  input wire  [10:0] grid_shape_block_x,     // Threads of a block along x.
  input wire  [10:0] grid_shape_block_y,     // Threads of a block along y.
  input wire  [10:0] grid_shape_block_z,     // Threads of a block along z.
  input wire  [14:0] grid_shape_local_bytes, // Bytes of local memory that a block gets.

  // Where warps belong.
  input wire         grid_map_in_grid,       // A grid was launched; nothing else here has a meaning before.
  input wire  [5:0]  grid_map_size,          // Warps of a block.
  input wire  [1:0]  grid_map_slot,          // CTA slot of each warp slot.
  input wire  [1:0]  grid_map_rank,          // Rank of each warp in its block.
  input wire  [1:0]  grid_map_last_warps,    // The warps that are the last of their block.
  input wire  [1:0]  grid_map_last_lanes,    // Lanes of such a warp.
  input wire  [27:0] grid_map_local_base,    // Where the local memory of each warp's block begins in that of the core.
  input wire  [14:0] grid_map_local_bytes,   // Bytes of it; 0: all of the core's.

  // Where threads belong.
  input wire         grid_thread_valid,      // A place is told.
  input wire         grid_thread_rank,       // Rank of its warp in the block.
  input wire  [1:0]  grid_thread_lane_oh,    // Its lane, one-hot.
  input wire  [9:0]  grid_thread_x,          // Its coordinates, 0 for a lane behind the block's last thread.
  input wire  [9:0]  grid_thread_y,          // Along y.
  input wire  [9:0]  grid_thread_z,          // Along z.

  // The block that starts in this cycle.
  input wire         grid_start_valid,       // A block starts.
  input wire         grid_start_slot,        // Its CTA slot.
  input wire  [1:0]  grid_start_slot_oh,     // The same, one-hot; 0 if there is none.
  input wire  [1:0]  grid_start_warps,       // Its warps; 0 if there is none.
  input wire  [31:0] grid_start_id,          // Its number in the grid.
  input wire  [31:0] grid_start_x,           // Its place along x.
  input wire  [31:0] grid_start_y,           // Its place along y.
  input wire  [31:0] grid_start_z,           // Its place along z.

  input wire  [31:0] start_pc,               // With a dispatcher: where its warps start.

  output wire [4:0]  counter_select,         // Number of the performance counter that a CSR instruction names.
  output wire        counter_upper,          // It names the upper half.
  output wire        counter_read,           // The instruction reads it in this cycle.
  input wire  [31:0] counter_value,          // What was read in the last cycle, else 0.
  output reg         sfu_result_valid,       // A result for the slice.
  // The result.
  output reg         sfu_result_wid,         // Its warp.
  output reg  [5:0]  sfu_result_rd,          // Destination register.
  output reg  [1:0]  sfu_result_tmask,       // Its lanes.

  output reg  [63:0] sfu_result_data,        // Value of each lane.

  input wire         sfu_result_ready,       // The slice takes the result.
  // A warp-control instruction is done.
  output reg         wctl_valid,             // Such an instruction is done.
  output reg         wctl_wid,               // Its warp.
  output reg  [1:0]  wctl_tmask,             // The warp's lanes from now on; 0 ends it.
  output reg         wctl_jump,              // The warp goes on at `pc` (JOIN), else behind the instruction.
  output reg  [31:0] wctl_pc,                // Where, if `jump`.

  output reg  [1:0]  spawn_warps,            // Warps that WSPAWN starts.
  output reg  [31:0] spawn_pc,               // Where they start.
  output reg  [1:0]  resume_warps,           // Warps that may go on.
  // What barriers do.
  output wire [1:0]  barrier_warps,          // Waiting at a barrier.
  output reg  [1:0]  barrier_arrive_warps,   // Arrives at a barrier and, unless released in the same cycle, will wait.
  output wire [1:0]  barrier_release_warps,  // Released from a barrier.

  // An instruction cannot be executed: 1 illegal, 5 divergence stack full, 6 barrier count, 7 CSR, 8 JOIN without
  // SPLIT, 12 a block's barrier in divergent code.
  output reg         fault_valid,            // There is a fault.
  output reg         fault_wid,              // Its warp.
  output reg  [31:0] fault_pc,               // Its address.
  output reg  [3:0]  fault_cause,            // The cause, numbered as in docs/ISA.md, section 8.
  output reg  [31:0] fault_addr,             // The address, instruction word, count or CSR number at fault; 0 where
                                             // there is none.

  output wire        sfu_busy                // Something is in flight.
);

  localparam [1:0] FIRST_WARP = 2'd1;
  localparam [5:0] SPAWN_COUNT_MASK = 6'd3;

  reg         legal;
  reg         diverged;
  wire        take;
  wire        is_spawn;
  reg         negate;
  wire        spawn_go;
  wire        refused;
  wire        does_csr;
  wire        does_wctl;
  wire        holds_spawn;
  wire        waiting;
  wire        picked_valid;
  wire        picked_wid;
  wire [5:0]  picked_rd;
  wire [1:0]  picked_tmask;
  wire        picked_use_rd;
  wire [2:0]  picked_funct3;
  wire [31:0] picked_pc;
  wire [31:0] picked_instr;
  wire        picked_csr;
  wire        picked_csr_imm;
  wire        picked_wctl;
  wire        picked_barrier;
  wire        picked_legal;
  wire        picked_div;
  wire [31:0] picked_last_rs1;
  wire [31:0] picked_last_rs2;
  wire [31:0] picked_rs1;
  wire [1:0]  picked_flags;
  wire [1:0]  warp_oh;
  reg  [1:0]  spawn_below;
  wire [1:0]  caller_oh;
  reg  [1:0]  resume;
  reg  [31:0] cause_value;
  wire [31:0] late_value;
  reg  [1:0]  condition;
  wire [5:0]  spawn_count;
  reg  [3:0]  cause;
  reg  [19:0] result_coordinate;
  reg         ended_wid;
  reg  [31:0] result_value;
  reg         result_per_lane;
  reg         spawn_held;
  reg         spawn_caller;
  reg  [1:0]  spawn_tmask;
  reg  [1:0]  spawn_mask;
  wire        arbiter_grant_oh;
  wire        csrs_access;
  reg  [31:0] csrs_operand;
  wire [31:0] csrs_value;
  wire        csrs_per_lane;
  wire        csrs_illegal;
  wire        csrs_reads_counter;
  wire [19:0] csrs_coordinate;
  wire [1:0]  control_next_tmask;
  wire        control_jump;
  wire [31:0] control_jump_pc;
  wire [31:0] control_token;
  wire        control_overflow;
  wire        control_join_empty;
  wire        barriers_arrive;
  wire [1:0]  barriers_release_warps;
  wire        barriers_too_many;

  // 1. choose a slice; the result register must be free
  assign waiting = sfu_valid;

  RoundRobinArbiter arbiter (
    .clock       (clock),
    .reset       (reset),
    .requests    (waiting),
    .advance     (take),
    .grant_valid (),
    .grant_oh    (arbiter_grant_oh),
    .grant_index ()
  );

  assign take = waiting & !sfu_result_valid;
  assign picked_valid = sfu_valid;
  assign picked_wid = sfu_wid;
  assign picked_rd = sfu_rd;
  assign picked_tmask = sfu_tmask;
  assign picked_use_rd = sfu_use_rd;
  assign picked_funct3 = sfu_funct3;
  assign picked_pc = sfu_pc;
  assign picked_instr = sfu_instr;
  assign picked_csr = sfu_csr;
  assign picked_csr_imm = sfu_csr_imm;
  assign picked_wctl = sfu_wctl;
  assign picked_barrier = sfu_barrier;
  assign picked_legal = sfu_legal;
  assign picked_div = sfu_div;
  assign picked_last_rs1 = sfu_last_rs1;
  assign picked_last_rs2 = sfu_last_rs2;
  assign picked_rs1 = sfu_rs1;
  assign picked_flags = sfu_flags;
  assign sfu_ready = arbiter_grant_oh & !sfu_result_valid;
  assign is_spawn = picked_wctl & (picked_funct3 == 3'd1);

  always @* begin
    legal = picked_legal;
    diverged = 1'b0;
    if (grid_map_in_grid) begin
      // The warps of a grid are the dispatcher's to start, and a barrier is for whole warps.
      legal = picked_legal & !is_spawn;
      diverged = picked_barrier & (control_token != 32'd0);
    end
  end

  // 2. the condition of each lane
  always @* begin
    negate = picked_instr[7];
    if (picked_funct3 == 3'd2) begin
      negate = picked_instr[20];
    end
  end

  always @* begin
    condition = picked_flags;
    if (negate) begin
      condition = ~picked_flags;
    end
  end

  assign warp_oh = FIRST_WARP << picked_wid;

  // 3. CSR
  assign csrs_access = take & legal & picked_csr;

  always @* begin
    csrs_operand = picked_rs1;
    if (picked_csr_imm) begin
      csrs_operand = {27'd0, picked_instr[19:15]};
    end
  end

  assign counter_select = picked_instr[24:20];
  assign counter_upper = picked_instr[27];

  // Its result is held in the next cycle, in which nothing else is taken and the counter's value comes.
  assign counter_read = csrs_access & picked_use_rd & csrs_reads_counter;

  CsrFile csrs (
    .clock                  (clock),
    .reset                  (reset),
    .access                 (csrs_access),
    .active                 (picked_valid & picked_csr),
    .number                 (picked_instr[31:20]),
    .wid                    (picked_wid),
    .rd                     (picked_rd),
    .tmask                  (picked_tmask),
    .use_rd                 (picked_use_rd),
    .funct3                 (picked_funct3),
    .issue_fire             (issue_fire),
    .issue_tmask            (issue_tmask),
    .active_warps           (active_warps),
    .start_arg              (start_arg),
    .running                (running),
    .launch                 (launch),
    .grid_shape_grid_x      (grid_shape_grid_x),
    .grid_shape_grid_y      (grid_shape_grid_y),
    .grid_shape_grid_z      (grid_shape_grid_z),
    .grid_shape_block_x     (grid_shape_block_x),
    .grid_shape_block_y     (grid_shape_block_y),
    .grid_shape_block_z     (grid_shape_block_z),
    .grid_shape_local_bytes (grid_shape_local_bytes),
    .grid_map_in_grid       (grid_map_in_grid),
    .grid_map_size          (grid_map_size),
    .grid_map_slot          (grid_map_slot),
    .grid_map_rank          (grid_map_rank),
    .grid_map_last_warps    (grid_map_last_warps),
    .grid_map_last_lanes    (grid_map_last_lanes),
    .grid_map_local_base    (grid_map_local_base),
    .grid_map_local_bytes   (grid_map_local_bytes),
    .grid_thread_valid      (grid_thread_valid),
    .grid_thread_rank       (grid_thread_rank),
    .grid_thread_lane_oh    (grid_thread_lane_oh),
    .grid_thread_x          (grid_thread_x),
    .grid_thread_y          (grid_thread_y),
    .grid_thread_z          (grid_thread_z),
    .grid_start_valid       (grid_start_valid),
    .grid_start_slot        (grid_start_slot),
    .grid_start_slot_oh     (grid_start_slot_oh),
    .grid_start_warps       (grid_start_warps),
    .grid_start_id          (grid_start_id),
    .grid_start_x           (grid_start_x),
    .grid_start_y           (grid_start_y),
    .grid_start_z           (grid_start_z),
    .start_pc               (start_pc),
    .operand                (csrs_operand),
    .value                  (csrs_value),
    .per_lane               (csrs_per_lane),
    .illegal                (csrs_illegal),
    .reads_counter          (csrs_reads_counter),
    .coordinate             (csrs_coordinate)
  );

  // 4. warp control
  WarpControl control (
    .clock       (clock),
    .reset       (reset),
    .go          (take & legal & picked_wctl),
    .wid         (picked_wid),
    .rd          (picked_rd),
    .tmask       (picked_tmask),
    .use_rd      (picked_use_rd),
    .funct3      (picked_funct3),
    .pc          (picked_pc),
    .condition   (condition),
    .rs1_last    (picked_last_rs1),
    .rs2_last    (picked_last_rs2),
    .next_tmask  (control_next_tmask),
    .jump        (control_jump),
    .jump_pc     (control_jump_pc),
    .token       (control_token),
    .overflow    (control_overflow),
    .join_empty  (control_join_empty),
    .start_warps (grid_start_warps)
  );

  // 5. barrier
  assign barriers_arrive = take & legal & picked_barrier & !diverged;

  BarrierUnit barriers (
    .clock           (clock),
    .reset           (reset),
    .arrive          (barriers_arrive),
    .arrive_warp_oh  (warp_oh),
    .barrier_id      (picked_last_rs1),
    .barrier_count   (picked_last_rs2),
    .release_warps   (barriers_release_warps),
    .too_many        (barriers_too_many),
    .waiting_warps   (barrier_warps),
    .map_in_grid     (grid_map_in_grid),
    .map_size        (grid_map_size),
    .map_slot        (grid_map_slot),
    .map_rank        (grid_map_rank),
    .map_last_warps  (grid_map_last_warps),
    .map_last_lanes  (grid_map_last_lanes),
    .map_local_base  (grid_map_local_base),
    .map_local_bytes (grid_map_local_bytes),
    .active_warps    (active_warps),
    .ended_wid       (ended_wid)
  );

  always @(posedge clock) begin
    if (wctl_valid & (wctl_tmask == 2'd0)) begin
      ended_wid <= wctl_wid;
    end
  end

  assign barrier_release_warps = barriers_release_warps;

  always @* begin
    barrier_arrive_warps = 2'd0;
    if (barriers_arrive & !barriers_too_many) begin
      barrier_arrive_warps = warp_oh;
    end
  end

  // 6. faults
  always @* begin
    cause = 4'd0;
    cause_value = 32'd0;
    if (!legal) begin
      cause = 4'd1;
      cause_value = picked_instr;
      // The instruction cache answers such a fetch with an illegal word.
      if (picked_pc[1:0] != 2'd0) begin
        cause = 4'd10;
        cause_value = picked_pc;
      end
    end else if (picked_csr) begin
      if (csrs_illegal) begin
        cause = 4'd7;
        cause_value = {20'd0, picked_instr[31:20]};
      end
    end else if (picked_barrier) begin
      if (barriers_too_many) begin
        cause = 4'd6;
        cause_value = picked_last_rs2;
      end
      if (diverged) begin
        cause = 4'd12;
        cause_value = 32'd0;
      end
    end else if (picked_wctl) begin
      if (control_overflow) begin
        cause = 4'd5;
      end
      if (control_join_empty) begin
        cause = 4'd8;
      end
    end
  end

  // The same without the causes' numbers, which take longer.
  assign refused = !legal | (picked_csr & csrs_illegal) | (picked_barrier & barriers_too_many) | diverged |
      (picked_wctl & (control_overflow | control_join_empty));

  always @(posedge clock) begin
    if (reset) begin
      fault_valid <= 1'b0;
    end else begin
      fault_valid <= take & refused;
    end
  end

  always @(posedge clock) begin
    fault_wid <= picked_wid;
    fault_pc <= picked_pc;
    fault_cause <= cause;
    fault_addr <= cause_value;
  end

  assign does_csr = take & legal & picked_csr & !csrs_illegal;
  assign does_wctl = take & legal & picked_wctl & !control_overflow & !control_join_empty;

  // 7. WSPAWN waits until its caller is alone
  assign spawn_count = picked_last_rs1[5:0] & SPAWN_COUNT_MASK;
  assign caller_oh = FIRST_WARP << spawn_caller;

  always @* begin : spawn_below_logic
    integer w;
    spawn_below = 2'd0;
    for (w = 0; w < 2; w = w + 1) begin
      spawn_below[w] = spawn_count > w[5:0];
    end
  end

  assign spawn_go = spawn_held & (active_warps == caller_oh);

  always @(posedge clock) begin
    if (reset) begin
      spawn_warps <= 2'd0;
      spawn_held <= 1'b0;
    end else begin
      if (spawn_go) begin
        spawn_held <= 1'b0;
      end
      // Nothing can be wrong with it.
      if (holds_spawn) begin
        spawn_held <= 1'b1;
      end
      spawn_warps <= 2'd0;
      if (spawn_go) begin
        spawn_warps <= spawn_mask;
      end
    end
  end

  assign holds_spawn = take & legal & is_spawn;

  always @(posedge clock) begin
    if (holds_spawn) begin
      spawn_caller <= picked_wid;
      spawn_tmask <= picked_tmask;
      spawn_mask <= spawn_below & ~warp_oh;
      spawn_pc <= picked_last_rs2;
    end
  end

  // 8. the new mask, and who may go on
  always @(posedge clock) begin
    if (reset) begin
      wctl_valid <= 1'b0;
      resume_warps <= 2'd0;
    end else begin
      wctl_valid <= spawn_go | (does_wctl & !is_spawn);
      resume_warps <= resume;
    end
  end

  always @(posedge clock) begin
    wctl_wid <= picked_wid;
    wctl_tmask <= control_next_tmask;
    wctl_jump <= control_jump;
    wctl_pc <= control_jump_pc;
    if (spawn_go) begin
      wctl_wid <= spawn_caller;
      wctl_tmask <= spawn_tmask;
      wctl_jump <= 1'b0;
    end
  end

  always @* begin
    resume = barriers_release_warps;
    if (does_wctl & !is_spawn) begin
      resume = resume | warp_oh;
    end
    if (spawn_go) begin
      resume = resume | caller_oh;
    end
  end

  // 9. the result
  always @(posedge clock) begin
    if (reset) begin
      sfu_result_valid <= 1'b0;
    end else begin
      if (sfu_result_ready) begin
        sfu_result_valid <= 1'b0;
      end
      if (picked_use_rd & (does_csr | does_wctl)) begin
        sfu_result_valid <= 1'b1;
      end
    end
  end

  // What a performance counter shows comes a cycle after all else, and may have to wait.
  assign late_value = result_value | counter_value;

  always @(posedge clock) begin
    result_value <= late_value;
    // Whether there is one comes late; the registers follow the instruction while they are free.
    if (!sfu_result_valid) begin
      sfu_result_wid <= picked_wid;
      sfu_result_rd <= picked_rd;
      sfu_result_tmask <= picked_tmask;
      result_value <= control_token;
      result_per_lane <= 1'b0;
      if (picked_csr) begin
        result_value <= csrs_value;
        result_per_lane <= csrs_per_lane;
      end
      result_coordinate <= 20'd0;
      if (picked_csr) begin
        result_coordinate <= csrs_coordinate;
      end
    end
  end

  always @* begin : sfu_result_data_logic
    integer i;
    reg [9:0] coordinate;
    for (i = 0; i < 2; i = i + 1) begin
      sfu_result_data[i*32 +: 32] = late_value;
      if (result_per_lane) begin
        sfu_result_data[i*32 +: 32] = late_value | i;
      end
      coordinate = result_coordinate[i*10 +: 10];
      sfu_result_data[i*32 +: 32] = sfu_result_data[i*32 +: 32] | {22'd0, coordinate};
    end
  end

  assign sfu_busy = sfu_result_valid | wctl_valid | spawn_held | fault_valid | (|resume_warps);

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, picked_div};
endmodule

`default_nettype wire
