`default_nettype none

// DIV, DIVU, REM and REMU of a slice, one instruction at a time.
// Latency: with a dividend of n bits (ARCHITECTURE.md, "The pipeline") and `div_bits` B, the result waits from the
// cycle n / B, rounded up, and one after that in which the instruction was taken; with `div_fixed` n is always 32.
// Reset: idle.
// Invariants: takes nothing until its result is taken; nothing enters without a destination.
module DivideUnit (
  input wire         clock,            // Rising edge moves the state.
  input wire         reset,            // Synchronous, active high.
  // From the sfu collector: a division with a destination.
  input wire         sfu_valid,        // An instruction is there.
  input wire         sfu_wid,          // Its warp.
  input wire  [5:0]  sfu_rd,           // Destination register.
  input wire  [1:0]  sfu_tmask,        // Its lanes.

  input wire         sfu_use_rd,       // There is a destination.
  input wire  [2:0]  sfu_funct3,       // Minor opcode.

  input wire  [31:0] sfu_pc,           // Its address.
  input wire  [31:0] sfu_instr,        // The instruction.
  input wire         sfu_csr,          // It is a CSR access.
  input wire         sfu_csr_imm,      // Its CSR operand is the immediate in the instruction.
  input wire         sfu_wctl,         // It is TMC, WSPAWN, SPLIT, JOIN or PRED.
  input wire         sfu_barrier,      // It is BAR.
  input wire         sfu_legal,        // It is a legal instruction.
  input wire         sfu_div,          // It is for the divider.
  input wire  [31:0] sfu_last_rs1,     // First register of the last active lane.
  input wire  [31:0] sfu_last_rs2,     // Second register of the last active lane.

  input wire  [63:0] sfu_rs1,          // First register of each lane.
  input wire  [63:0] sfu_rs2,          // Second register of each lane.

  output wire        div_ready,        // The instruction in the collector leaves it this cycle.
  // A result that waits for the write port.
  output reg         div_result_valid, // A result is offered.
  output reg         div_result_wid,   // Its warp.
  output reg  [5:0]  div_result_rd,    // Destination register.
  output reg  [1:0]  div_result_tmask, // Its lanes.

  output wire [63:0] div_result_data,  // Value of each lane.

  input wire         div_result_ready, // It is taken in this cycle.

  output reg         div_busy          // A division is under way or its result waits.
);

  localparam [4:0] STEP_BITS = 5'd2;

  wire       start;
  wire       step;
  reg        want_remainder;
  reg  [4:0] place;
  reg  [2:0] funct3;
  wire       length_any;
  wire [4:0] length_highest;

  genvar i;

  // 1. count the steps of the division that is under way
  assign step = div_busy & !div_result_valid;

  always @(posedge clock) begin
    if (step) begin
      place <= place - STEP_BITS;
    end
    // take the next division; it begins with the highest bit of its dividends
    if (start) begin
      place <= length_highest;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      div_result_valid <= 1'b0;
    end else begin
      if (step) begin
        if (place == 5'd0) begin
          div_result_valid <= 1'b1;
        end
      end
      // 2. hand the result over
      if (div_result_valid & div_result_ready) begin
        div_result_valid <= 1'b0;
      end
      if (start) begin
        div_result_valid <= !length_any;
      end
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      div_busy <= 1'b0;
    end else begin
      if (div_result_valid & div_result_ready) begin
        div_busy <= 1'b0;
      end
      // 3. take the next division; it begins with the highest bit of its dividends
      if (start) begin
        div_busy <= 1'b1;
      end
    end
  end

  assign div_ready = !div_busy;
  assign start = sfu_valid & !div_busy;

  always @(posedge clock) begin
    if (start) begin
      funct3 <= sfu_funct3;
      div_result_wid <= sfu_wid;
      div_result_rd <= sfu_rd;
      div_result_tmask <= sfu_tmask;
    end
  end

  DivideLength length (
    .active    (start),
    .is_signed (!sfu_funct3[0]),
    .tmask     (sfu_tmask),
    .dividends (sfu_rs1),
    .any       (length_any),
    .highest   (length_highest)
  );

  // 4. lanes: before a division the operation is that in the collector, then the one remembered
  always @* begin
    want_remainder = funct3[1];
    if (!div_busy) begin
      want_remainder = sfu_funct3[1];
    end
  end

  generate
    for (i = 0; i < 2; i = i + 1) begin : lanes
      DivideLane unit (
        .clock          (clock),
        .start          (start),
        .busy           (div_busy),
        .step           (step),
        .place          (place),
        .is_signed      (!sfu_funct3[0]),
        .want_remainder (want_remainder),
        .dividend       (sfu_rs1[i*32 +: 32]),
        .divisor        (sfu_rs2[i*32 +: 32]),
        .result         (div_result_data[i*32 +: 32])
      );
    end
  endgenerate

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, sfu_use_rd, sfu_pc, sfu_instr, sfu_csr, sfu_csr_imm, sfu_wctl, sfu_barrier, sfu_legal, sfu_div,
      sfu_last_rs1, sfu_last_rs2};

  // Not read: signs matter on entry, and bit 2 is set in every division.
  wire unused_funct3 = &{1'b0, funct3[0], funct3[2]};
endmodule

`default_nettype wire
