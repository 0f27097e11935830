`default_nettype none

// Chooses a slice and adds the addresses of its instruction.
// Latency: none.
// Reset: slice 0 goes first.
// Invariants: its `ready` depends on `advance`, which is late; the slices' queues let it reach their pointers alone.
module AccessInput (
  input wire         clock,         // Rising edge moves the state.
  input wire         reset,         // Synchronous, active high.
  // Instructions of the slices.
  input wire         mem_valid,     // A load, store or fence is there.
  input wire         mem_wid,       // Its warp.
  input wire  [5:0]  mem_rd,        // Destination register.
  input wire  [1:0]  mem_tmask,     // Its lanes.

  input wire         mem_use_rd,    // There is a destination.
  input wire  [2:0]  mem_funct3,    // Minor opcode.

  input wire  [31:0] mem_pc,        // Its address.
  input wire         mem_store,     // It is a store.
  input wire         mem_fence,     // It is FENCE.
  input wire         mem_fence_i,   // It is FENCE.I.
  input wire  [31:0] mem_imm,       // Offset.
  input wire  [63:0] mem_rs1,       // Base address of each lane.
  input wire  [63:0] mem_rs2,       // Value to store of each lane, or operand.
  output wire        mem_ready,     // It is taken in this cycle.

  input wire         advance,       // The access stage takes the instruction that is shown.
  // The instruction that is shown.
  output wire        arrive_valid,  // A load or store is there.
  output wire        arrive_store,  // It is a store.
  output wire        arrive_wid,    // Its warp.
  output wire [31:0] arrive_pc,     // Its own address.
  output wire [1:0]  arrive_tmask,  // Its lanes.
  output wire [2:0]  arrive_funct3, // Size and extension.
  output wire [63:0] arrive_addr,   // Byte address of each lane.
  output wire [63:0] arrive_data,   // Of a store or atomic instruction, the register value of each lane, not cut to the
                                    // size.

  output wire [5:0]  arrive_rd,     // Destination register.
  output wire        arrive_use_rd, // It writes a register.
  output wire        arrive_fence,  // It is FENCE or FENCE.I.
  output wire        arrive_fence_i // It is FENCE.I.
);

  wire        waiting;
  wire        chosen_valid;
  wire        chosen_wid;
  wire [5:0]  chosen_rd;
  wire [1:0]  chosen_tmask;
  wire        chosen_use_rd;
  wire [2:0]  chosen_funct3;
  wire [31:0] chosen_pc;
  wire        chosen_store;
  wire        chosen_fence;
  wire        chosen_fence_i;
  wire [31:0] chosen_imm;
  wire [63:0] chosen_rs1;
  wire [63:0] chosen_rs2;
  wire        chosen_ready;
  wire        take;
  wire        arbiter_grant_oh;

  genvar i;

  // 1. choose a slice
  assign waiting = mem_valid;

  RoundRobinArbiter arbiter (
    .clock       (clock),
    .reset       (reset),
    .requests    (waiting),
    .advance     (take),
    .grant_valid (),
    .grant_oh    (arbiter_grant_oh),
    .grant_index ()
  );

  assign arrive_valid = waiting != 1'b0;
  assign take = arrive_valid & advance;

  // 2. show its instruction; without one, that of slice 0 does no harm
  assign chosen_valid = mem_valid;
  assign chosen_wid = mem_wid;
  assign chosen_rd = mem_rd;
  assign chosen_tmask = mem_tmask;
  assign chosen_use_rd = mem_use_rd;
  assign chosen_funct3 = mem_funct3;
  assign chosen_pc = mem_pc;
  assign chosen_store = mem_store;
  assign chosen_fence = mem_fence;
  assign chosen_fence_i = mem_fence_i;
  assign chosen_imm = mem_imm;
  assign chosen_rs1 = mem_rs1;
  assign chosen_rs2 = mem_rs2;
  assign arrive_fence = mem_fence | mem_fence_i;
  assign chosen_ready = advance;
  assign mem_ready = arbiter_grant_oh & chosen_ready;
  assign arrive_wid = chosen_wid;
  assign arrive_tmask = chosen_tmask;
  assign arrive_pc = chosen_pc;
  assign arrive_funct3 = chosen_funct3;
  assign arrive_store = chosen_store;
  assign arrive_rd = chosen_rd;
  assign arrive_use_rd = chosen_use_rd;
  assign arrive_fence_i = chosen_fence_i;
  assign arrive_data = chosen_rs2;

  generate
    for (i = 0; i < 2; i = i + 1) begin : arrive_addr_each
      assign arrive_addr[i*32 +: 32] = chosen_rs1[i*32 +: 32] + chosen_imm;
    end
  endgenerate

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, chosen_valid, chosen_fence};
endmodule

`default_nettype wire
