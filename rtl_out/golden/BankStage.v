`default_nettype none

// Holds a group of lanes until the banks have served them, one pass a cycle, and brings words to store from lanes to
// banks.
// Latency: pushed in c, first pass in c+1.
// Reset: empty.
// Invariants: a load from memory takes one pass, whatever its banks; passes serve lanes of one word in lane order, so
// that the highest lane's store remains.
module BankStage (
  input wire         clock,            // Rising edge moves the state.
  input wire         reset,            // Synchronous, active high.
  // A group that comes.
  input wire         push_valid,       // A group is there.
  input wire  [1:0]  push_lanes,       // The lanes.
  input wire         push_in_local,    // They go to local memory.
  input wire  [25:0] push_line,        // Their line, if they do not.
  input wire         push_store,       // They are part of a store.
  input wire         push_ends,        // No other group of the instruction follows.
  // Where a load's words go.
  input wire         push_load_wid,    // Its warp.
  input wire  [5:0]  push_load_rd,     // Destination register.
  input wire  [2:0]  push_load_funct3, // Size and extension.
  input wire  [4:0]  push_load_group,  // Number of the load.

  input wire  [27:0] push_offset,      // Low address bits of each lane.
  input wire  [3:0]  push_same_bank,   // For each lane, the lanes before it that want the same bank.
  input wire  [3:0]  push_same_word,   // For each lane, the lanes before it that want the same word.
  input wire  [63:0] push_word,        // Aligned word to store of each lane.
  input wire  [7:0]  push_bytes,       // Bytes to store of each lane.
  output wire        push_ready,       // They are taken in this cycle.

  input wire         request_ready,    // The request buffer takes a step.
  input wire         slot_ready,       // The load table has a slot.
  input wire         local_ready,      // The return path takes a local read.
  // The line of a group that goes to the bus. What it says of a load holds for local memory too.
  output wire        look_valid,       // There may be one.
  output reg  [25:0] look_line,        // The line.
  output wire        look_load,        // It would be a load.

  output wire        to_bus,           // A pass goes to the bus.
  output wire        to_local,         // A pass goes to local memory.
  output reg         pass_last,        // This pass is the group's last.
  output wire [1:0]  pass_lanes,       // Lanes that this pass serves.
  output wire        pass_single,      // The banks serve all lanes of the group at once.
  // Where a load's words go.
  output reg         load_wid,         // Its warp.
  output reg  [5:0]  load_rd,          // Destination register.
  output reg  [2:0]  load_funct3,      // Size and extension.
  output reg  [4:0]  load_group,       // Number of the load.

  output reg  [27:0] pass_offset,      // Low address bits of each lane.
  // What the banks do.
  output wire [1:0]  bank_valid,       // Banks that take part.
  output wire [23:0] bank_word,        // Word address of each bank.
  output reg  [7:0]  bank_bytes,       // Bytes that each bank stores.
  output reg  [63:0] bank_data,        // Word that each bank stores.

  output wire        store_done,       // A store has been served completely.
  output reg         busy              // A group is held.
);

  reg         step;
  wire        finishes;
  wire        room;
  reg  [1:0]  served;
  wire [1:0]  remaining;
  reg  [1:0]  held_lanes;
  reg         held_in_local;
  reg         held_store;
  reg         held_ends;
  reg  [3:0]  held_same_bank;
  reg  [3:0]  held_same_word;
  reg  [63:0] held_word;
  reg  [7:0]  held_bytes;
  reg  [23:0] arbiter_word;
  wire [1:0]  arbiter_served;
  wire        arbiter_complete;
  wire [1:0]  arbiter_bank_lane;

  // 1. what the banks can serve
  BankArbiter_W24 arbiter (
    .active     (busy),
    .candidates (held_lanes),
    .word       (arbiter_word),
    .same_bank  (held_same_bank),
    .same_word  (held_same_word),
    .served     (arbiter_served),
    .complete   (arbiter_complete),
    .bank_valid (bank_valid),
    .bank_lane  (arbiter_bank_lane),
    .bank_word  (bank_word)
  );

  always @* begin : arbiter_word_logic
    integer i;
    // Not read as a whole: banks hold whole words.
    // verilator lint_off UNUSEDSIGNAL
    reg [13:0] lane_offset;
    // verilator lint_on UNUSEDSIGNAL
    for (i = 0; i < 2; i = i + 1) begin
      lane_offset = pass_offset[i*14 +: 14];
      arbiter_word[i*12 +: 12] = lane_offset[13:2];
    end
  end

  always @* begin : bank_data_logic
    integer b;
    // Not read as a whole: of a single lane the number.
    // verilator lint_off UNUSEDSIGNAL
    reg bank_lane;
    // verilator lint_on UNUSEDSIGNAL
    for (b = 0; b < 2; b = b + 1) begin
      bank_lane = arbiter_bank_lane[b];
      bank_data[b*32 +: 32] = held_word[bank_lane*32 +: 32];
      bank_bytes[b*4 +: 4] = held_bytes[bank_lane*4 +: 4];
    end
  end

  // 2. whether the pass can be made: local memory always stores
  always @* begin
    step = busy & request_ready & (held_store | slot_ready);
    if (held_in_local) begin
      step = busy & (held_store | local_ready);
    end
  end

  assign look_valid = busy & !held_in_local;
  assign look_load = !held_store;
  assign to_local = step & held_in_local;
  assign to_bus = step & !held_in_local;

  // 3. what remains; memory gives a whole line at once
  always @* begin
    served = arbiter_served;
    pass_last = arbiter_complete;
    if (!held_in_local & !held_store) begin
      served = held_lanes;
      pass_last = 1'b1;
    end
  end

  assign pass_single = arbiter_complete;
  assign remaining = held_lanes & ~served;
  assign finishes = step & pass_last;
  assign room = !busy | finishes;
  assign push_ready = room;
  assign store_done = finishes & held_store & held_ends;

  always @(posedge clock) begin
    if (reset) begin
      held_lanes <= 2'd0;
    end else begin
      if (step) begin
        held_lanes <= remaining;
      end
      // 4. the next group
      if (room) begin
        held_lanes <= push_lanes;
      end
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      busy <= 1'b0;
    end else if (room) begin
      busy <= push_valid;
    end
  end

  always @(posedge clock) begin : pipeline
    integer i;
    if (room) begin
      held_in_local <= push_in_local;
      look_line <= push_line;
      held_store <= push_store;
      held_ends <= push_ends;
      load_wid <= push_load_wid;
      load_rd <= push_load_rd;
      load_funct3 <= push_load_funct3;
      load_group <= push_load_group;
      pass_offset <= push_offset;
      held_same_bank <= push_same_bank;
      held_word <= push_word;
      held_bytes <= push_bytes;
      held_same_word <= 4'd0;
      for (i = 0; i < 2; i = i + 1) begin
        // Lanes that store do not share a word.
        if (!push_store) begin
          held_same_word[i*2 +: 2] <= push_same_word[i*2 +: 2];
        end
      end
    end
  end

  assign pass_lanes = served;
endmodule

`default_nettype wire
