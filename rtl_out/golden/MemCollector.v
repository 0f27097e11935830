`default_nettype none

// A queue for the class `mem`, in order: loads, stores, atomic instructions and fences.
// Latency: one cycle.
// Reset: empty.
// Invariants: the scoreboard issues this class only while `mem_free`, so what arrives always finds room.
module MemCollector (
  input wire         clock,           // Rising edge moves the state.
  input wire         reset,           // Synchronous, active high.
  // From the operand stage: an instruction of this class.
  input wire         operand_valid,   // A load, store or fence is there.
  input wire         operand_wid,     // Its warp.
  input wire  [5:0]  operand_rd,      // Destination register.
  input wire  [1:0]  operand_tmask,   // Its lanes.

  input wire         operand_use_rd,  // There is a destination.
  input wire  [2:0]  operand_funct3,  // Minor opcode.

  input wire  [31:0] operand_pc,      // Its address.
  input wire         operand_store,   // It is a store.
  input wire         operand_fence,   // It is FENCE.
  input wire         operand_fence_i, // It is FENCE.I.
  input wire  [31:0] operand_imm,     // Offset.
  input wire  [63:0] operand_rs1,     // Base address of each lane.
  input wire  [63:0] operand_rs2,     // Value to store of each lane, or operand.
  output wire        operand_ready,   // It is taken in this cycle.

  output wire        mem_free,        // To the scoreboard: what issues in this cycle will find room.
  // To the load-store unit: the first entry.
  output wire        mem_valid,       // A load, store or fence is there.
  output wire        mem_wid,         // Its warp.
  output wire [5:0]  mem_rd,          // Destination register.
  output wire [1:0]  mem_tmask,       // Its lanes.

  output wire        mem_use_rd,      // There is a destination.
  output wire [2:0]  mem_funct3,      // Minor opcode.

  output wire [31:0] mem_pc,          // Its address.
  output wire        mem_store,       // It is a store.
  output wire        mem_fence,       // It is FENCE.
  output wire        mem_fence_i,     // It is FENCE.I.
  output reg  [31:0] mem_imm,         // Offset.
  output wire [63:0] mem_rs1,         // Base address of each lane.
  output wire [63:0] mem_rs2,         // Value to store of each lane, or operand.
  input wire         mem_ready        // It is taken in this cycle.
);

  wire        leaves;
  reg  [56:0] word;
  wire [56:0] first;
  wire [11:0] offset;
  wire [1:0]  read_address;
  wire [1:0]  write_address;
  reg  [1:0]  read_pointer;
  reg  [1:0]  write_pointer;
  reg  [2:0]  held;

  genvar i;

  // 1. in and out
  assign mem_valid = held != 3'd0;
  assign leaves = mem_valid & mem_ready;

  always @(posedge clock) begin
    if (reset) begin
      read_pointer <= 2'd0;
      write_pointer <= 2'd0;
      held <= 3'd0;
    end else begin
      if (leaves) begin
        read_pointer <= read_pointer + 2'd1;
      end
      if (operand_valid) begin
        write_pointer <= write_pointer + 2'd1;
      end
      if (operand_valid & !leaves) begin
        held <= held + 3'd1;
      end
      if (!operand_valid & leaves) begin
        held <= held - 3'd1;
      end
    end
  end

  // The scoreboard lets nothing issue that would not find room.
  assign operand_ready = 1'b1;

  // 2. room for what issues now, behind what is in the operand stage
  assign mem_free = (held < 3'd3) | ((held == 3'd3) & !operand_valid);

  // 3. what arrives; the offset of this class has twelve bits
  always @* begin
    word = {4'd0, operand_funct3, operand_rd, operand_pc, operand_imm[11:0]};
    word[53] = operand_use_rd;
    word[54] = operand_store;
    word[55] = operand_fence;
    word[56] = operand_fence_i;
  end

  assign read_address = read_pointer;
  assign write_address = write_pointer;

  LutRam_4x57 words (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (first),
    .write_enable  (operand_valid),
    .write_address (write_address),
    .write_data    (word)
  );

  LutRam_4x1 wid (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (mem_wid),
    .write_enable  (operand_valid),
    .write_address (write_address),
    .write_data    (operand_wid)
  );

  LutRam_4x2 tmask (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (mem_tmask),
    .write_enable  (operand_valid),
    .write_address (write_address),
    .write_data    (operand_tmask)
  );

  generate
    for (i = 0; i < 2; i = i + 1) begin : rs1
      LutRam_4x32 unit (
        .clock         (clock),
        .read_address  (read_address),
        .read_data     (mem_rs1[i*32 +: 32]),
        .write_enable  (operand_valid),
        .write_address (write_address),
        .write_data    (operand_rs1[i*32 +: 32])
      );
    end
  endgenerate

  generate
    for (i = 0; i < 2; i = i + 1) begin : rs2
      LutRam_4x32 unit (
        .clock         (clock),
        .read_address  (read_address),
        .read_data     (mem_rs2[i*32 +: 32]),
        .write_enable  (operand_valid),
        .write_address (write_address),
        .write_data    (operand_rs2[i*32 +: 32])
      );
    end
  endgenerate

  // 4. the first entry
  assign offset = first[11:0];

  always @* begin
    mem_imm = {20'd0, offset};
    if (offset[11]) begin
      mem_imm = {20'hfffff, offset};
    end
  end

  assign mem_pc = first[43:12];
  assign mem_rd = first[49:44];
  assign mem_funct3 = first[52:50];
  assign mem_use_rd = first[53];
  assign mem_store = first[54];
  assign mem_fence = first[55];
  assign mem_fence_i = first[56];

  // Not read: immediate operands of loads and stores have 12 bits.
  wire unused_operand_imm = &{1'b0, operand_imm[31:12]};
endmodule

`default_nettype wire
