`default_nettype none

// Holds the decoded instructions of each warp until they issue.
// Latency: written at the end of the decode cycle, at the head of an empty queue in the next.
// Reset: empty (SWaS: full of NOPs).
// Invariants: never overflows, because the schedule stage counts what is in flight; a head pops only when valid. An
// instruction of a warp that is flushed in its decode cycle is dropped.
module InstructionBuffer (
  input wire         clock,                    // Rising edge moves the state.
  input wire         reset,                    // Synchronous, active high.
  // The instruction that leaves decode.
  input wire         decode_valid,             // An instruction is fetched.
  input wire         decode_wid,               // Its warp.
  input wire  [31:0] decode_pc,                // Its address.

  input wire  [31:0] decode_instr,             // Its word.
  // What it is.
  // Its registers. Instructions of a floating-point unit always have a destination, for their flags' sake, and so do
  // atomic ones, which are done when they have their result.
  input wire  [17:0] decoded_registers_number, // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [2:0]  decoded_registers_used,   // It uses them, and they are not x0.

  input wire         decoded_blocks_issue,     // Nothing younger of the warp issues until it is resolved: branches,
                                               // jumps, warp control, barriers, fences, illegal instructions.
  input wire         decoded_memory,           // Reads or writes memory.

  input wire  [1:0]  decoded_collector,        // Collector through which it gets to its unit.

  input wire  [1:0]  flush_warps,              // A bit a warp: queues to empty (SWaS: to fill with NOPs).
  input wire  [1:0]  issue_fire_warps,         // A bit a warp: heads that issue this cycle.
  input wire  [1:0]  read_oh,                  // S masks of W bits, at most one set: whose head's payload each slice
                                               // reads.
  output wire [5:0]  ibuffer_count,            // W counts: instructions in the queue.
  // The heads.
  output wire [1:0]  heads_valid_warps,        // A bit a warp: the queue is not empty.
  output wire [1:0]  heads_enters_warps,       // A bit a warp: a first instruction enters the empty queue.
  // The heads' registers.
  output wire [35:0] heads_registers_number,   // Their numbers; bit 5 is set for those of the floating-point file.
  output wire [5:0]  heads_registers_used,     // It uses them, and they are not x0.

  // Registers of what is at the head in the next cycle, if the present head issues or one enters.
  output wire [35:0] heads_following_number,   // Their numbers; bit 5 is set for those of the floating-point file.
  output wire [5:0]  heads_following_used,     // It uses them, and they are not x0.

  output reg  [1:0]  heads_write_warps,        // A bit a warp: it has a destination.
  output wire [1:0]  heads_sfu_warps,          // A bit a warp: it goes to collector SFU.
  output wire [1:0]  heads_mem_warps,          // A bit a warp: it goes to collector MEM.
  output wire [1:0]  heads_blocks_warps,       // A bit a warp: nothing younger issues until it is resolved.
  output wire [1:0]  heads_memory_warps,       // A bit a warp: it is a load or a store.

  output wire [31:0] issue_instr,              // S words: the head of warp `read_oh`.
  output wire [31:0] issue_pc                  // S addresses: that of the head of warp `read_oh`.
);

  localparam [5:0] FIRST_SLOT = 6'd32;
  localparam [1:0] OWN_WARPS = 2'd3;
  localparam [1:0] COLLECTOR_SP = 2'd0;
  localparam [1:0] COLLECTOR_SFU = 2'd1;
  localparam [1:0] COLLECTOR_MEM = 2'd2;

  wire [17:0] entry_registers_number;
  wire [2:0]  entry_registers_used;
  wire        entry_blocks_issue;
  wire        entry_memory;
  wire        entry_sp;
  wire        entry_sfu;
  wire        entry_mem;
  wire [31:0] instr;
  wire [31:0] pc;
  wire [63:0] word;
  reg  [1:0]  push_warps;
  reg  [1:0]  write_slot;
  reg  [2:0]  write_address;
  reg  [1:0]  read_slot;
  reg  [2:0]  read_address;
  wire [5:0]  queues_head_registers_used;
  wire [3:0]  queues_read_slot;
  wire [3:0]  queues_write_slot;
  wire        payload_write_enable;
  wire [63:0] payload_word;

  genvar gi;

  // 1. what issue must know of the instruction that leaves each decoder
  assign entry_registers_number = decoded_registers_number;
  assign entry_registers_used = decoded_registers_used;
  assign entry_blocks_issue = decoded_blocks_issue;
  assign entry_memory = decoded_memory;
  assign entry_sp = decoded_collector == COLLECTOR_SP;
  assign entry_sfu = decoded_collector == COLLECTOR_SFU;
  assign entry_mem = decoded_collector == COLLECTOR_MEM;

  // 2. push it into its warp's queue, unless the warp is flushed
  generate
    for (gi = 0; gi < 2; gi = gi + 1) begin : queues
      InstructionQueue unit (
        .clock                   (clock),
        .reset                   (reset),
        .push                    (push_warps[gi]),
        .pushed_registers_number (entry_registers_number),
        .pushed_registers_used   (entry_registers_used),
        .pushed_blocks_issue     (entry_blocks_issue),
        .pushed_memory           (entry_memory),
        .pushed_sp               (entry_sp),
        .pushed_sfu              (entry_sfu),
        .pushed_mem              (entry_mem),
        .pop                     (issue_fire_warps[gi]),
        .flush                   (flush_warps[gi]),
        .count                   (ibuffer_count[gi*3 +: 3]),
        .head_valid              (heads_valid_warps[gi]),
        .head_registers_number   (heads_registers_number[gi*18 +: 18]),
        .head_registers_used     (queues_head_registers_used[gi*3 +: 3]),
        .head_blocks_issue       (heads_blocks_warps[gi]),
        .head_memory             (heads_memory_warps[gi]),
        .head_sp                 (),
        .head_sfu                (heads_sfu_warps[gi]),
        .head_mem                (heads_mem_warps[gi]),
        .following_number        (heads_following_number[gi*18 +: 18]),
        .following_used          (heads_following_used[gi*3 +: 3]),
        .head_enters             (heads_enters_warps[gi]),
        .read_slot               (queues_read_slot[gi*2 +: 2]),
        .write_slot              (queues_write_slot[gi*2 +: 2])
      );
    end
  endgenerate

  always @* begin : push_warps_logic
    integer i;
    push_warps = 2'd0;
    write_slot = 2'd0;
    write_address = 3'd0;
    for (i = 0; i < 2; i = i + 1) begin
      if (OWN_WARPS[i] & decode_valid & (decode_wid == i[0])) begin
        push_warps[i] = !flush_warps[i];
        write_slot = queues_write_slot[i*2 +: 2];
        write_address = FIRST_SLOT[i*3 +: 3];
      end
    end
    // 3. its payload, at {rank of the warp, slot}, or in a memory for each slot
    for (i = 0; i < 2; i = i + 1) begin
      write_address[i] = write_slot[i];
    end
  end

  assign instr = decode_instr;
  assign pc = decode_pc;
  assign word = {pc, instr};
  assign payload_write_enable = |push_warps;

  Payload payload (
    .clock         (clock),
    .write_enable  (payload_write_enable),
    .write_address (write_address),
    .write_data    (word),
    .read_address  (read_address),
    .read_bank     (1'b0),
    .word          (payload_word)
  );

  // 4. each slice reads the payload of the warp it issues
  always @* begin : read_slot_logic
    integer i;
    read_slot = 2'd0;
    read_address = 3'd0;
    for (i = 0; i < 2; i = i + 1) begin
      if (read_oh[i]) begin
        read_slot = read_slot | queues_read_slot[i*2 +: 2];
        read_address = read_address | FIRST_SLOT[i*3 +: 3];
      end
    end
    for (i = 0; i < 2; i = i + 1) begin
      read_address[i] = read_slot[i];
    end
  end

  assign issue_instr = payload_word[31:0];
  assign issue_pc = payload_word[63:32];

  // 5. the heads
  assign heads_registers_used = queues_head_registers_used;

  always @* begin : heads_write_warps_logic
    integer i;
    heads_write_warps = 2'd0;
    for (i = 0; i < 2; i = i + 1) begin
      heads_write_warps[i] = queues_head_registers_used[i*3];
    end
  end
endmodule

`default_nettype wire
