`default_nettype none

// Finds the highest bit that the dividend of any active lane may need.
// Latency: combinational.
// Reset: none.
// Invariants: lanes that are not active make no difference.
module DivideLength (
  input wire        active,    // There are dividends; else no bit is needed.
  input wire        is_signed, // DIV or REM rather than DIVU or REMU.
  input wire [1:0]  tmask,     // Lanes that are active.
  input wire [63:0] dividends, // Dividend of each lane.
  output reg        any,       // Some dividend is not 0.
  output reg [4:0]  highest    // Place of the highest bit.
);

  localparam [31:0] LOWEST = 32'h55555555;
  localparam [4:0]  FOLDS = 5'd1;

  always @* begin : any_logic
    integer i;
    reg [31:0] own;
    reg [31:0] needed;
    reg [31:0] left;
    i = 0;
    any = 1'b0;
    highest = 5'd0;
    own = 32'd0;
    needed = 32'd0;
    left = 32'd0;
    if (active) begin
      // 1. the bits of all active lanes together
      needed = 32'd0;
      for (i = 0; i < 2; i = i + 1) begin
        own = dividends[i*32 +: 32];
        if (is_signed & dividends[i*32 + 31]) begin
          own = ~dividends[i*32 +: 32] | (~dividends[i*32 +: 32] << 5'd1) | 32'd1;
        end
        own = own | (own >> FOLDS);
        if (tmask[i]) begin
          needed = needed | (own & LOWEST);
        end
      end
      any = |needed;
      // 2. the highest of them: in which half, in which half of that
      left = needed;
      if (|(left & 32'hffff0000)) begin
        highest = 5'd16;
        left = {16'd0, left[31:16]};
      end
      if (|(left & 32'hff00)) begin
        highest = highest | 5'd8;
        left = {8'd0, left[31:8]};
      end
      if (|(left & 32'd240)) begin
        highest = highest | 5'd4;
        left = {4'd0, left[31:4]};
      end
      if (|(left & 32'd12)) begin
        highest = highest | 5'd2;
        left = {2'd0, left[31:2]};
      end
      if (left[1]) begin
        highest = highest | 5'd1;
      end
    end
  end
endmodule

`default_nettype wire
