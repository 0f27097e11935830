`default_nettype none

// Checks the addresses and holds the instruction until all its lanes are served, each by the path of its line.
// Latency: one cycle.
// Reset: empty.
// Invariants: an instruction with a fault in any lane accesses nothing; the next instruction is taken in the cycle in
// which the last lanes of this one are served.
module AccessStage (
  input wire         clock,               // Rising edge moves the state.
  input wire         reset,               // Synchronous, active high.
  // An instruction that arrives.
  input wire         arrive_valid,        // A load or store is there.
  input wire         arrive_store,        // It is a store.
  input wire         arrive_wid,          // Its warp.
  input wire  [31:0] arrive_pc,           // Its own address.
  input wire  [1:0]  arrive_tmask,        // Its lanes.
  input wire  [2:0]  arrive_funct3,       // Size and extension.
  input wire  [63:0] arrive_addr,         // Byte address of each lane.
  input wire  [63:0] arrive_data,         // Of a store or atomic instruction, the register value of each lane, not cut
                                          // to the size.

  input wire  [5:0]  arrive_rd,           // Destination register.
  input wire         arrive_use_rd,       // It writes a register.
  input wire         arrive_fence,        // It is FENCE or FENCE.I.
  input wire         arrive_fence_i,      // It is FENCE.I.

  output wire        advance,             // What arrives is taken.
  input wire         serve,               // Lanes are served in this cycle, by each path.
  input wire  [1:0]  served,              // Which ones are, if any.
  input wire         fence_done,          // The fence that waits is done.
  output wire        access_valid,        // A load or store wants to be served.
  output wire        access_fence,        // A fence waits.
  output wire        access_discard,      // A load to x0 ends here.
  output reg         access_first,        // No lane has been served yet.
  output wire        access_last,         // No lane remains behind those that are served in this cycle.
  output reg  [1:0]  access_lanes,        // Lanes still to be served by each path.
  // The instruction that is held.
  output reg         instruction_valid,   // A load or store is there.
  output reg         instruction_store,   // It is a store.
  output reg         instruction_wid,     // Its warp.
  output reg  [31:0] instruction_pc,      // Its own address.
  output reg  [1:0]  instruction_tmask,   // Its lanes.
  output reg  [2:0]  instruction_funct3,  // Size and extension.
  output reg  [63:0] instruction_addr,    // Byte address of each lane.
  output reg  [63:0] instruction_data,    // Of a store or atomic instruction, the register value of each lane, not cut
                                          // to the size.

  output reg  [5:0]  instruction_rd,      // Destination register.
  output reg         instruction_use_rd,  // It writes a register.
  output reg         instruction_fence,   // It is FENCE or FENCE.I.
  output reg         instruction_fence_i, // It is FENCE.I.

  // A lane must not access its address: 2 misaligned load, 3 misaligned store or atomic instruction, 4 outside the
  // local memory, 9 below 0x40. The address is that of the first such lane.
  output wire        fault_valid,         // There is a fault.
  output wire        fault_wid,           // Its warp.
  output wire [31:0] fault_pc,            // Its address.
  output wire [3:0]  fault_cause,         // The cause, numbered as in docs/ISA.md, section 8.
  output reg  [31:0] fault_addr,          // The address, instruction word, count or CSR number at fault; 0 where there
                                          // is none.

  output reg  [27:0] offset,              // Of each lane's address the lower bits: where in its line or in the core's
                                          // local memory.
  // With a dispatcher: where each warp's block has its local memory.
  input wire         map_in_grid,         // A grid was launched; nothing else here has a meaning before.
  input wire  [5:0]  map_size,            // Warps of a block.
  input wire  [1:0]  map_slot,            // CTA slot of each warp slot.
  input wire  [1:0]  map_rank,            // Rank of each warp in its block.
  input wire  [1:0]  map_last_warps,      // The warps that are the last of their block.
  input wire  [1:0]  map_last_lanes,      // Lanes of such a warp.
  input wire  [27:0] map_local_base,      // Where the local memory of each warp's block begins in that of the core.
  input wire  [14:0] map_local_bytes      // Bytes of it; 0: all of the core's.
);

  localparam [15:0] OUTSIDE = 16'hc000; // Bits of an offset in the region of local memory that are 0 inside the memory
                                        // that is there.

  reg  [27:0] arrive_offset;
  reg  [13:0] local_base;
  wire        bounded;
  wire        ends;
  wire        room;
  reg         found;
  wire        faulty;
  wire        access;
  wire [1:0]  arrive_lanes;
  reg         served_now;
  wire [1:0]  size;
  reg  [1:0]  arrive_misaligned;
  reg  [1:0]  arrive_out_of_range;
  reg  [1:0]  arrive_unmapped;
  reg  [1:0]  failing;
  wire [1:0]  remaining;
  reg  [3:0]  cause;
  reg  [1:0]  misaligned;
  reg  [1:0]  out_of_range;
  reg  [1:0]  unmapped;

  // 1. check every lane of what arrives
  assign size = arrive_funct3[1:0];

  always @* begin : arrive_misaligned_logic
    integer i;
    reg in_local;
    // Not read as a whole: which line it is matters only where a line may be unmapped.
    // verilator lint_off UNUSEDSIGNAL
    reg [31:0] lane_address;
    // verilator lint_on UNUSEDSIGNAL
    arrive_misaligned = 2'd0;
    arrive_out_of_range = 2'd0;
    arrive_unmapped = 2'd0;
    lane_address = 32'd0;
    if (arrive_valid) begin
      for (i = 0; i < 2; i = i + 1) begin
        lane_address = arrive_addr[i*32 +: 32];
        if (arrive_tmask[i]) begin
          arrive_misaligned[i] = ((size == 2'd1) & lane_address[0]) | ((size == 2'd2) & (lane_address[1:0] != 2'd0));
          arrive_out_of_range[i] = (lane_address[31:16] == 16'hffff) & ((lane_address[15:0] & OUTSIDE) != 16'd0);
          arrive_unmapped[i] = lane_address[31:6] == 26'd0;
        end
      end
    end
    // A block finds its part of the local memory where it begins for a program, and nothing behind it.
    for (i = 0; i < 2; i = i + 1) begin
      lane_address = arrive_addr[i*32 +: 32];
      in_local = lane_address[31:16] == 16'hffff;
      if (arrive_tmask[i] & in_local & bounded & (lane_address[15:0] >= {1'b0, map_local_bytes})) begin
        arrive_out_of_range[i] = 1'b1;
      end
      arrive_offset[i*14 +: 14] = lane_address[13:0];
      if (in_local) begin
        arrive_offset[i*14 +: 14] = lane_address[13:0] + local_base;
      end
    end
  end

  assign arrive_lanes = arrive_tmask;

  always @* begin
    local_base = 14'd0;
    if (map_in_grid) begin
      local_base = map_local_base[arrive_wid*14 +: 14];
    end
  end

  assign bounded = map_in_grid & (map_local_bytes != 15'd0);

  // 2. misalignment goes first, then local memory's size, then the first line; the first lane that fails gives the
  // address
  assign faulty = (|misaligned) | (|out_of_range) | (|unmapped);

  always @* begin
    failing = unmapped;
    cause = 4'd9;
    if (|out_of_range) begin
      failing = out_of_range;
      cause = 4'd4;
    end
    if (|misaligned) begin
      failing = misaligned;
      cause = 4'd2;
      if (instruction_store) begin
        cause = 4'd3;
      end
    end
  end

  always @* begin : found_logic
    integer i;
    found = 1'b0;
    fault_addr = 32'd0;
    for (i = 0; i < 2; i = i + 1) begin
      if (failing[i] & !found) begin
        found = 1'b1;
        fault_addr = instruction_addr[i*32 +: 32];
      end
    end
  end

  assign fault_wid = instruction_wid;
  assign fault_pc = instruction_pc;
  assign fault_cause = cause;
  assign fault_valid = instruction_valid & !instruction_fence & faulty;

  // 3. what the rest of the unit sees
  assign access = instruction_valid & !instruction_fence & !faulty;
  assign access_discard = access & !instruction_store & !instruction_use_rd;
  assign access_valid = access & (instruction_store | instruction_use_rd);
  assign access_fence = instruction_valid & instruction_fence;

  // 4. what remains
  assign remaining = access_lanes & ~served;
  assign access_last = (remaining == 2'd0) & (serve | (access_lanes == 2'd0));

  always @* begin
    served_now = 1'b0;
    if (serve) begin
      served_now = 1'b1;
    end
  end

  // Whether lanes are served at all is known late, and so comes last.
  assign ends = (!instruction_fence & (faulty | !(instruction_store | instruction_use_rd))) | fence_done |
      (access_last & served_now);

  always @(posedge clock) begin
    if (reset) begin
      access_first <= 1'b0;
      access_lanes <= 2'd0;
    end else begin
      if (serve) begin
        access_lanes <= remaining;
        access_first <= 1'b0;
      end
      // 5. the next instruction
      if (room) begin
        access_first <= 1'b1;
        access_lanes <= arrive_lanes;
      end
    end
  end

  assign room = !instruction_valid | ends;
  assign advance = room;

  always @(posedge clock) begin
    if (reset) begin
      instruction_valid <= 1'b0;
    end else if (room) begin
      instruction_valid <= arrive_valid;
    end
  end

  always @(posedge clock) begin
    if (room) begin
      instruction_store <= arrive_store;
      instruction_wid <= arrive_wid;
      instruction_pc <= arrive_pc;
      instruction_tmask <= arrive_tmask;
      instruction_funct3 <= arrive_funct3;
      instruction_addr <= arrive_addr;
      instruction_data <= arrive_data;
      instruction_rd <= arrive_rd;
      instruction_use_rd <= arrive_use_rd;
      instruction_fence <= arrive_fence;
      instruction_fence_i <= arrive_fence_i;
      offset <= arrive_offset;
      misaligned <= arrive_misaligned;
      out_of_range <= arrive_out_of_range;
      unmapped <= arrive_unmapped;
    end
  end

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, map_size, map_slot, map_rank, map_last_warps, map_last_lanes};
endmodule

`default_nettype wire
