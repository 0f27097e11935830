`default_nettype none

// Holds the first fault that a unit reports.
// Latency: one cycle.
// Reset: no fault.
module FaultLatch (
  input wire        clock,              // Rising edge moves the state.
  input wire        reset,              // Synchronous, active high.
  // From the load-store unit.
  input wire        lsu_fault_valid,    // There is a fault.
  input wire        lsu_fault_wid,      // Its warp.
  input wire [31:0] lsu_fault_pc,       // Its address.
  input wire [3:0]  lsu_fault_cause,    // The cause, numbered as in docs/ISA.md, section 8.
  input wire [31:0] lsu_fault_addr,     // The address, instruction word, count or CSR number at fault; 0 where there is
                                        // none.

  // From the special unit.
  input wire        sfu_fault_valid,    // There is a fault.
  input wire        sfu_fault_wid,      // Its warp.
  input wire [31:0] sfu_fault_pc,       // Its address.
  input wire [3:0]  sfu_fault_cause,    // The cause, numbered as in docs/ISA.md, section 8.
  input wire [31:0] sfu_fault_addr,     // The address, instruction word, count or CSR number at fault; 0 where there is
                                        // none.

  // With a dispatcher: from there.
  input wire        launch_fault_valid, // There is a fault.
  input wire        launch_fault_wid,   // Its warp.
  input wire [31:0] launch_fault_pc,    // Its address.
  input wire [3:0]  launch_fault_cause, // The cause, numbered as in docs/ISA.md, section 8.
  input wire [31:0] launch_fault_addr,  // The address, instruction word, count or CSR number at fault; 0 where there is
                                        // none.

  input wire        bus_error_valid,    // Memory refused a data access. Which warp's it was is not known any more: none
                                        // stops.
  input wire [25:0] bus_error_line,     // Line of the access.
  output reg        stop_valid,         // A warp stops in this cycle.
  output reg        stop_wid,           // Which one.
  // The first fault of the core.
  output reg        fault_valid,        // There is a fault.
  output reg        fault_wid,          // Its warp.
  output reg [31:0] fault_pc,           // Its address.
  output reg [3:0]  fault_cause,        // The cause, numbered as in docs/ISA.md, section 8.
  output reg [31:0] fault_addr          // The address, instruction word, count or CSR number at fault; 0 where there is
                                        // none.
);

  localparam [3:0] UNMAPPED = 4'd9;

  reg        reported_valid;
  reg        reported_wid;
  reg [31:0] reported_pc;
  reg [3:0]  reported_cause;
  reg [31:0] reported_addr;

  // 1. the warp that stops, a cycle later: it is found out late
  always @* begin
    reported_valid = lsu_fault_valid | sfu_fault_valid;
    reported_wid = sfu_fault_wid;
    reported_pc = sfu_fault_pc;
    reported_cause = sfu_fault_cause;
    reported_addr = sfu_fault_addr;
    if (lsu_fault_valid) begin
      reported_wid = lsu_fault_wid;
      reported_pc = lsu_fault_pc;
      reported_cause = lsu_fault_cause;
      reported_addr = lsu_fault_addr;
    end
    if (launch_fault_valid) begin
      reported_valid = 1'b1;
      reported_wid = launch_fault_wid;
      reported_pc = launch_fault_pc;
      reported_cause = launch_fault_cause;
      reported_addr = launch_fault_addr;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      stop_valid <= 1'b0;
    end else begin
      stop_valid <= reported_valid;
    end
  end

  always @(posedge clock) begin
    stop_wid <= reported_wid;
  end

  // 2. hold the first one
  always @(posedge clock) begin
    if (reset) begin
      fault_valid <= 1'b0;
    end else begin
      if (reported_valid & !fault_valid) begin
        fault_valid <= 1'b1;
      end
      if (bus_error_valid & !reported_valid & !fault_valid) begin
        fault_valid <= 1'b1;
      end
    end
  end

  always @(posedge clock) begin
    if (reported_valid & !fault_valid) begin
      fault_wid <= reported_wid;
      fault_pc <= reported_pc;
      fault_cause <= reported_cause;
      fault_addr <= reported_addr;
    end
    if (bus_error_valid & !reported_valid & !fault_valid) begin
      fault_wid <= 1'b0;
      fault_pc <= 32'd0;
      fault_cause <= UNMAPPED;
      fault_addr <= {6'd0, bus_error_line} << 3'd6;
    end
  end
endmodule

`default_nettype wire
