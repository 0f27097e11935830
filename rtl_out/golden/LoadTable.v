`default_nettype none

// What to do with a line when it comes: one entry for each line read in flight.
// Latency: look-up combinational; a slot that is freed is not in use two cycles later.
// Reset: no entry in use.
// Invariants: `allocate` only while `slot_ready`; a slot is looked up only while in use.
module LoadTable (
  input wire         clock,                  // Rising edge moves the state.
  input wire         reset,                  // Synchronous, active high.
  input wire         allocate,               // A line read leaves for memory.
  // What to do with it.
  // Where its words go.
  input wire         allocation_load_wid,    // Its warp.
  input wire  [5:0]  allocation_load_rd,     // Destination register.
  input wire  [2:0]  allocation_load_funct3, // Size and extension.
  input wire  [4:0]  allocation_load_group,  // Number of the load.

  input wire         allocation_single,      // The way back serves all lanes at once.
  input wire  [1:0]  allocation_lanes,       // Lanes that it serves.
  input wire  [11:0] allocation_offset,      // Byte within the line that each lane wants.

  output wire        slot_ready,             // A slot is free.
  output wire [4:0]  slot,                   // The slot that an allocation takes.
  input wire  [4:0]  lookup_slot,            // Slot of the response.
  input wire         free,                   // The response is taken: its slot is free again.
  // What to do with the line of that slot.
  // Where its words go.
  output wire        entry_load_wid,         // Its warp.
  output wire [5:0]  entry_load_rd,          // Destination register.
  output wire [2:0]  entry_load_funct3,      // Size and extension.
  output wire [4:0]  entry_load_group,       // Number of the load.

  output wire        entry_single,           // The way back serves all lanes at once.
  output wire [1:0]  entry_lanes,            // Lanes that it serves.
  output wire [11:0] entry_offset,           // Byte within the line that each lane wants.

  output wire        in_flight               // Some slot is in use.
);

  localparam [15:0] ONE = 16'd1;

  wire [3:0]  read_address;
  wire [3:0]  write_address;
  reg  [15:0] in_use_now;
  reg  [15:0] in_use;
  reg         freed;
  reg  [3:0]  freed_slot;
  reg         single_write_data;
  wire [3:0]  next_slot_number;

  genvar i;

  // 1. a free slot
  FreeNumber next_slot (
    .clock  (clock),
    .reset  (reset),
    .in_use (in_use),
    .take   (allocate),
    .ready  (slot_ready),
    .number (next_slot_number)
  );

  assign slot = {1'b0, next_slot_number};
  assign in_flight = in_use != 16'd0;

  // 2. slots come into use, and are released a cycle after their line, since a hit of the cache is known late
  always @(posedge clock) begin
    if (reset) begin
      in_use <= 16'd0;
      freed <= 1'b0;
    end else begin
      freed <= free;
      in_use <= in_use_now;
      if (allocate) begin
        in_use <= in_use_now | (ONE << next_slot_number);
      end
    end
  end

  always @(posedge clock) begin
    freed_slot <= lookup_slot[3:0];
  end

  always @* begin
    in_use_now = in_use;
    if (freed) begin
      in_use_now = in_use & ~(ONE << freed_slot);
    end
  end

  // 3. the entries
  assign read_address = lookup_slot[3:0];
  assign write_address = slot[3:0];

  LutRam_16x1 wid (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (entry_load_wid),
    .write_enable  (allocate),
    .write_address (write_address),
    .write_data    (allocation_load_wid)
  );

  LutRam_16x6 rd (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (entry_load_rd),
    .write_enable  (allocate),
    .write_address (write_address),
    .write_data    (allocation_load_rd)
  );

  LutRam_16x3 funct3 (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (entry_load_funct3),
    .write_enable  (allocate),
    .write_address (write_address),
    .write_data    (allocation_load_funct3)
  );

  LutRam_16x5 group (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (entry_load_group),
    .write_enable  (allocate),
    .write_address (write_address),
    .write_data    (allocation_load_group)
  );

  LutRam_16x1 single (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (entry_single),
    .write_enable  (allocate),
    .write_address (write_address),
    .write_data    (single_write_data)
  );

  always @* begin
    single_write_data = 1'b0;
    if (allocation_single) begin
      single_write_data = 1'b1;
    end
  end

  LutRam_16x2 lanes (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (entry_lanes),
    .write_enable  (allocate),
    .write_address (write_address),
    .write_data    (allocation_lanes)
  );

  generate
    for (i = 0; i < 2; i = i + 1) begin : offset
      LutRam_16x6 unit (
        .clock         (clock),
        .read_address  (read_address),
        .read_data     (entry_offset[i*6 +: 6]),
        .write_enable  (allocate),
        .write_address (write_address),
        .write_data    (allocation_offset[i*6 +: 6])
      );
    end
  endgenerate

  // Not read: tags have room for more slots.
  wire unused_lookup_slot = &{1'b0, lookup_slot[4]};
endmodule

`default_nettype wire
