`default_nettype none

// The registers of every warp and lane, two or three read ports and one write port, in block RAM.
// Latency: one cycle; a write shows to reads of the next cycle.
// Reset: none, so a register holds garbage until it is written.
// Invariants: what register 0 holds means nothing, who wants it does not use a port; the scoreboard keeps an
// instruction that reads a register from issuing in the cycle in which it is written. Where operand collectors read the
// registers, these are in banks before them, and this is the register of the operand stage for what they have
// `collected`.
module RegisterFile (
  input wire         clock,            // Rising edge moves the state.
  input wire         issue_wid,        // Warp to read for.
  // What it reads. A source that is not used is 0; the third one keeps its data.
  input wire  [17:0] registers_number, // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [2:0]  registers_used,   // It uses them, and they are not x0.

  input wire         read_enable,      // Read; else keep the data last read.
  // Which register of which warp and lanes to write.
  input wire         commit_valid,     // A register is written.
  input wire         commit_wid,       // Its warp.
  input wire  [5:0]  commit_rd,        // Destination register.
  input wire  [1:0]  commit_tmask,     // Its lanes.

  input wire         commit_last,      // The instruction has now written all its lanes.

  input wire  [63:0] commit_data,      // Value of each lane.

  // What was read.
  output wire [63:0] words_rs1,        // First register of each lane.
  output wire [63:0] words_rs2         // Second register of each lane.
);

  localparam [3:0] SHIFT = 4'd5; // Bits of a register's number, which the warp is shifted over.

  wire [4:0]  written;
  wire        clear_rs1;
  wire        clear_rs2;
  wire [5:0]  write_address;
  reg  [11:0] address;         // Where each source is: the warp, then the register's number.
  wire [1:0]  rs1_banks_clear;
  wire [1:0]  rs2_banks_clear;

  genvar i;

  // 1. a warp's registers lie together
  assign written = commit_rd[4:0];
  assign write_address = ({5'd0, commit_wid} << SHIFT) | {1'b0, written};

  always @* begin : address_logic
    integer p;
    reg [4:0] source;
    // Not read as a whole: bit 5 names the floating-point registers.
    // verilator lint_off UNUSEDSIGNAL
    reg [5:0] named;
    // verilator lint_on UNUSEDSIGNAL
    for (p = 0; p < 2; p = p + 1) begin
      named = registers_number[(p + 1)*6 +: 6];
      source = named[4:0];
      address[p*6 +: 6] = ({5'd0, issue_wid} << SHIFT) | {1'b0, source};
    end
  end

  // 2. a copy of each lane's bank for each read port; what is not read is 0
  assign clear_rs1 = read_enable & !registers_used[1];
  assign clear_rs2 = read_enable & !registers_used[2];

  generate
    for (i = 0; i < 2; i = i + 1) begin : rs1_banks
      SyncRam_64x32_no_collision_clear unit (
        .clock         (clock),
        .read_enable   (read_enable),
        .clear         (rs1_banks_clear[i]),
        .read_address  (address[5:0]),
        .read_data     (words_rs1[i*32 +: 32]),
        .write_enable  (commit_valid & commit_tmask[i]),
        .write_address (write_address),
        .write_data    (commit_data[i*32 +: 32])
      );
    end
  endgenerate

  generate
    for (i = 0; i < 2; i = i + 1) begin : rs2_banks
      SyncRam_64x32_no_collision_clear unit (
        .clock         (clock),
        .read_enable   (read_enable),
        .clear         (rs2_banks_clear[i]),
        .read_address  (address[11:6]),
        .read_data     (words_rs2[i*32 +: 32]),
        .write_enable  (commit_valid & commit_tmask[i]),
        .write_address (write_address),
        .write_data    (commit_data[i*32 +: 32])
      );
    end
  endgenerate

  generate
    for (i = 0; i < 2; i = i + 1) begin : rs1_banks_clear_each
      assign rs1_banks_clear[i] = clear_rs1;
      assign rs2_banks_clear[i] = clear_rs2;
    end
  endgenerate

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, commit_last};

  // Not read: the destination is not read.
  wire unused_registers_number = &{1'b0, registers_number[5:0]};
  wire unused_registers_used = &{1'b0, registers_used[0]};

  // Not read: bit 5 names the floating-point registers.
  wire unused_commit_rd = &{1'b0, commit_rd[5]};
endmodule

`default_nettype wire
