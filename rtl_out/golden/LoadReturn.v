`default_nettype none

// Hands words to lanes, one partial result a cycle: from a line, as many lanes as the banks can serve at once, or one
// local access.
// Latency: line accepted in cycle c, first result in c+2; local read in c, result in c+2.
// Reset: empty.
// Invariants: a held line goes before a local access; results wait until taken.
module LoadReturn (
  input wire          clock,             // Rising edge moves the state.
  input wire          reset,             // Synchronous, active high.
  // A line that came.
  input wire          lsu_rsp_valid,     // A line is there.
  input wire  [511:0] lsu_rsp_data,      // 16 words read.
  input wire  [4:0]   lsu_rsp_tag,       // Tag of the request.
  output wire         lsu_rsp_ready,     // The line is taken in this cycle.

  output wire         rsp_taken,         // The line is accepted.
  // What to do with it.
  // Where its words go.
  input wire          entry_load_wid,    // Its warp.
  input wire  [5:0]   entry_load_rd,     // Destination register.
  input wire  [2:0]   entry_load_funct3, // Size and extension.
  input wire  [4:0]   entry_load_group,  // Number of the load.

  input wire          entry_single,      // The way back serves all lanes at once.
  input wire  [1:0]   entry_lanes,       // Lanes that it serves.
  input wire  [11:0]  entry_offset,      // Byte within the line that each lane wants.

  input wire          local_read,        // Local memory is read for a load.
  // Where its words go.
  input wire          local_load_wid,    // Its warp.
  input wire  [5:0]   local_load_rd,     // Destination register.
  input wire  [2:0]   local_load_funct3, // Size and extension.
  input wire  [4:0]   local_load_group,  // Number of the load.

  input wire  [1:0]   local_lanes,       // Lanes that it serves.
  input wire  [13:0]  local_offset,      // Low address bits of each lane.
  output wire         local_ready,       // A local read can start.
  input wire  [63:0]  local_data,        // Words that the local memory read.
  // A partial result that is made.
  output wire         part_valid,        // A part of a load is there.
  output wire [4:0]   part_group,        // Number of the load.
  output reg  [1:0]   part_lanes,        // Its lanes.
  input wire          part_last,         // It completes the load.

  // A result waits for commit.
  output reg          result_valid,      // A result is offered.
  output reg          result_wid,        // Its warp.
  output reg  [5:0]   result_rd,         // Destination register.
  output reg  [1:0]   result_tmask,      // Its lanes.

  output wire [63:0]  result_data,       // Value of each lane.

  input wire          result_ready,      // It is taken in this cycle.

  output reg          result_last,       // The load has no further result.

  output wire         in_flight          // Something is held here.
);

  localparam [4:0] BANK_MASK = 5'd1;
  localparam [3:0] ROW_MASK = 4'd14;

  reg          made_wid;
  reg  [5:0]   made_rd;
  reg  [2:0]   made_funct3;
  reg  [4:0]   made_group;
  wire         result_free;
  wire         take_rsp;
  wire         take_local;
  wire         rsp_room;
  wire         local_room;
  reg  [3:0]   line_index;
  reg  [63:0]  bank_data;
  reg          rsp_held;
  reg          rsp_load_wid;
  reg  [5:0]   rsp_load_rd;
  reg  [2:0]   rsp_load_funct3;
  reg  [4:0]   rsp_load_group;
  reg          rsp_single;
  reg  [1:0]   rsp_lanes;
  reg  [11:0]  rsp_offset;
  reg  [3:0]   rsp_same_bank;
  reg  [3:0]   rsp_same_word;
  reg  [511:0] rsp_line;
  reg          loc_held;
  reg  [1:0]   loc_lanes;
  reg          loc_wid;
  reg  [5:0]   loc_rd;
  reg  [2:0]   loc_funct3;
  reg  [4:0]   loc_group;
  reg  [13:0]  loc_offset;
  reg  [63:0]  res_data_next;
  reg  [63:0]  res_data;
  reg  [2:0]   res_funct3;
  reg  [3:0]   res_offset;
  reg  [7:0]   conflicts_word;
  wire [3:0]   conflicts_same_bank;
  wire [3:0]   conflicts_same_word;
  reg  [7:0]   arbiter_word;
  wire [1:0]   arbiter_served;
  wire         arbiter_complete;
  wire [7:0]   arbiter_bank_word;

  genvar gi;

  // 1. who makes a result: a held line first, so that lines drain and local accesses cannot starve them
  assign result_free = !result_valid | result_ready;
  assign take_rsp = rsp_held & result_free;
  assign take_local = loc_held & !rsp_held & result_free;
  assign local_room = !loc_held | take_local;
  assign local_ready = local_room;

  // 2. lanes that the line serves in this cycle
  BankArbiter_W8 arbiter (
    .active     (rsp_held),
    .candidates (rsp_lanes),
    .word       (arbiter_word),
    .same_bank  (rsp_same_bank),
    .same_word  (rsp_same_word),
    .served     (arbiter_served),
    .complete   (arbiter_complete),
    .bank_valid (),
    .bank_lane  (),
    .bank_word  (arbiter_bank_word)
  );

  always @* begin : arbiter_word_logic
    integer i;
    reg [3:0] wanted_word;
    for (i = 0; i < 2; i = i + 1) begin
      wanted_word = rsp_offset[i*6 + 2 +: 4];
      arbiter_word[i*4 +: 4] = wanted_word;
    end
  end

  always @* begin
    made_wid = loc_wid;
    made_rd = loc_rd;
    made_funct3 = loc_funct3;
    made_group = loc_group;
    part_lanes = loc_lanes;
    if (rsp_held) begin
      made_wid = rsp_load_wid;
      made_rd = rsp_load_rd;
      made_funct3 = rsp_load_funct3;
      made_group = rsp_load_group;
      part_lanes = arbiter_served;
    end
  end

  assign part_valid = take_rsp | take_local;
  assign part_group = made_group;

  // Whether a line is finished at once was found out long before, so that the cache's ready comes early.
  assign rsp_room = !rsp_held | (take_rsp & rsp_single);
  assign lsu_rsp_ready = rsp_room;
  assign rsp_taken = lsu_rsp_valid & rsp_room;

  // 3. words of the banks (an OR of what is chosen is smaller than multiplexers), then of the lanes
  always @* begin : bank_data_logic
    integer b;
    b = 0;
    bank_data = local_data;
    if (rsp_held) begin
      bank_data = 64'd0;
    end
    line_index = 4'd0;
    if (rsp_held) begin
      for (b = 0; b < 2; b = b + 1) begin
        line_index = (arbiter_bank_word[b*4 +: 4] & ROW_MASK) | b[3:0];
        bank_data[b*32 +: 32] = bank_data[b*32 +: 32] | rsp_line[line_index*32 +: 32];
      end
    end
  end

  always @* begin : res_data_next_logic
    integer i;
    // Not read as a whole: of a place in a line, its bank.
    // verilator lint_off UNUSEDSIGNAL
    reg [3:0] line_word;
    // verilator lint_on UNUSEDSIGNAL
    // Not read as a whole: there are fewer banks.
    // verilator lint_off UNUSEDSIGNAL
    reg [4:0] lane_bank;
    // verilator lint_on UNUSEDSIGNAL
    res_data_next = res_data;
    for (i = 0; i < 2; i = i + 1) begin
      line_word = 4'd0;
      lane_bank = loc_offset[i*7 + 2 +: 5] & BANK_MASK;
      if (rsp_held) begin
        line_word = rsp_offset[i*6 + 2 +: 4];
        lane_bank = {1'b0, line_word} & BANK_MASK;
      end
      if (part_valid) begin
        res_data_next[i*32 +: 32] = bank_data[lane_bank[0]*32 +: 32];
      end
    end
  end

  always @(posedge clock) begin : pipeline
    integer i;
    for (i = 0; i < 2; i = i + 1) begin
      if (part_valid) begin
        res_offset[i*2 +: 2] <= loc_offset[i*7 +: 2];
        if (rsp_held) begin
          res_offset[i*2 +: 2] <= rsp_offset[i*6 +: 2];
        end
      end
    end
    res_data <= res_data_next;
  end

  // 4. the result; its words are aligned on the way out, where there is more time
  always @(posedge clock) begin
    if (reset) begin
      result_valid <= 1'b0;
    end else begin
      if (result_ready) begin
        result_valid <= 1'b0;
      end
      if (part_valid) begin
        result_valid <= 1'b1;
      end
    end
  end

  always @(posedge clock) begin
    if (part_valid) begin
      result_last <= part_last;
      result_tmask <= part_lanes;
      result_wid <= made_wid;
      result_rd <= made_rd;
      res_funct3 <= made_funct3;
    end
  end

  generate
    for (gi = 0; gi < 2; gi = gi + 1) begin : aligners
      LoadAligner unit (
        .funct3   (res_funct3),
        .offset   (res_offset[gi*2 +: 2]),
        .word     (res_data[gi*32 +: 32]),
        .register (result_data[gi*32 +: 32])
      );
    end
  endgenerate

  assign in_flight = rsp_held | loc_held | result_valid;

  // 5. what comes next: a line, a local read
  always @(posedge clock) begin
    if (reset) begin
      rsp_held <= 1'b0;
      rsp_lanes <= 2'd0;
      loc_held <= 1'b0;
    end else begin
      if (take_rsp) begin
        rsp_lanes <= rsp_lanes & ~arbiter_served;
        if (arbiter_complete) begin
          rsp_held <= 1'b0;
        end
      end
      if (rsp_room) begin
        rsp_held <= lsu_rsp_valid;
        rsp_lanes <= entry_lanes;
      end
      if (local_room) begin
        loc_held <= local_read;
      end
    end
  end

  always @(posedge clock) begin
    if (rsp_room) begin
      rsp_load_wid <= entry_load_wid;
      rsp_load_rd <= entry_load_rd;
      rsp_load_funct3 <= entry_load_funct3;
      rsp_load_group <= entry_load_group;
      rsp_single <= entry_single;
      rsp_offset <= entry_offset;
      rsp_line <= lsu_rsp_data;
      rsp_same_bank <= conflicts_same_bank;
      rsp_same_word <= conflicts_same_word;
    end
    if (local_room) begin
      loc_lanes <= local_lanes;
      loc_wid <= local_load_wid;
      loc_rd <= local_load_rd;
      loc_funct3 <= local_load_funct3;
      loc_group <= local_load_group;
      loc_offset <= local_offset;
    end
  end

  BankConflicts_W8 conflicts (
    .active    (lsu_rsp_valid),
    .word      (conflicts_word),
    .same_bank (conflicts_same_bank),
    .same_word (conflicts_same_word)
  );

  always @* begin : conflicts_word_logic
    integer i;
    reg [3:0] wanted_word;
    for (i = 0; i < 2; i = i + 1) begin
      wanted_word = entry_offset[i*6 + 2 +: 4];
      conflicts_word[i*4 +: 4] = wanted_word;
    end
  end

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, lsu_rsp_tag};
endmodule

`default_nettype wire
