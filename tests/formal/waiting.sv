// Bounded waiting in a round: module `waiting` follows one warp, whichever, and counts how often it has been passed over.
//
// `last_oh` is the round's pointer. The proof needs that it is one-hot and that a warp `distance` places behind it can be
// passed over that often and no more; both are part of what is asserted.
module waiting #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire         clock,
  input wire         started,
  // The round begins anew.
  input wire         restart,
  input wire [W-1:0] last_oh,
  // Who wants to be served, who is.
  input wire [W-1:0] asking,
  input wire [W-1:0] served,
  // A chance to be served goes by.
  input wire         passes
);

  (* anyconst *) wire [WID_BITS-1:0] self;
  reg [WID_BITS:0] passed;
  reg [WID_BITS:0] distance;
  integer i;

  always @* begin
    distance = 0;
    for (i = 0; i < W; i = i + 1) begin
      if (last_oh[i]) distance = self > i ? self - i - 1 : self + W - i - 1;
    end
  end

  always @(posedge clock) begin
    if (restart | ~asking[self] | served[self]) passed <= 0;
    else if (passes) passed <= passed + 1'b1;
  end

  always @* begin
    assume (self < W);
    if (started) begin
      assert (|last_oh & ((last_oh & (last_oh - 1'b1)) == 0));
      assert (passed + distance < W);
      assert (passed < W);
    end
  end
endmodule
