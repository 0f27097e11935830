`default_nettype none

// Keeps a number ready that is not in use, so that whoever takes it need not search.
module FreeNumber (
  input wire         clock,  // Rising edge moves the state.
  input wire         reset,  // Synchronous, active high.
  input wire  [15:0] in_use, // The numbers that are taken.
  input wire         take,   // Takes the number.
  output wire        ready,  // There is a number.
  output wire [3:0]  number  // The number.
);

  localparam [3:0] ZERO = 4'd0;

  reg       valid_next;
  reg       valid;
  reg [3:0] chosen_next;
  reg [3:0] chosen;

  always @(posedge clock) begin
    if (reset) begin
      valid <= 1'b0;
      chosen <= 4'd0;
    end else begin
      valid <= valid_next;
      chosen <= chosen_next;
    end
  end

  assign ready = valid;
  assign number = chosen;

  always @* begin : valid_next_logic
    integer i;
    reg       found;
    reg [3:0] first;
    i = 0;
    valid_next = valid;
    chosen_next = chosen;
    // When none is ready, or the one that is gets taken: the lowest number that is neither in use nor ready.
    found = 1'b0;
    first = 4'd0;
    if (!valid | take) begin
      first = ZERO;
      found = 1'b0;
      for (i = 0; i < 16; i = i + 1) begin
        if (!found & !in_use[i] & !(valid & (chosen == i[3:0]))) begin
          found = 1'b1;
          first = i[3:0];
        end
      end
      valid_next = found;
      chosen_next = first;
    end
  end
endmodule

`default_nettype wire
