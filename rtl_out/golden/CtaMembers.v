`default_nettype none

// Which warp slots belong to each CTA slot.
// Latency: combinational.
// Reset: none.
// Invariants: a warp slot is a member of one CTA; those of exited warps are of that which they were of last.
module CtaMembers (
  input wire [1:0] cta,    // CTA slot of each warp.
  output reg [3:0] members // The warps of each CTA slot.
);

  always @* begin : members_logic
    integer c, w;
    reg [1:0] mask;
    for (c = 0; c < 2; c = c + 1) begin
      mask = 2'd0;
      for (w = 0; w < 2; w = w + 1) begin
        if (cta[w] == c[0]) begin
          mask[w] = 1'b1;
        end
      end
      members[c*2 +: 2] = mask;
    end
  end
endmodule

`default_nettype wire
