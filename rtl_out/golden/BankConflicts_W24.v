`default_nettype none

// Compares the words that lanes want with one another, a cycle before a `BankArbiter` needs it.
// Latency: combinational.
// Reset: none.
// Invariants: bit `j` of element `i` is 0 for `j >= i`.
// W24 is the width of `word`.
module BankConflicts_W24 (
  input wire        active,    // There are lanes to compare; else there are no conflicts.
  input wire [23:0] word,      // Word address of each lane.
  output reg [3:0]  same_bank, // For each lane, the lanes before it that want the same bank.
  output reg [3:0]  same_word  // For each lane, the lanes before it that want the same word.
);

  localparam [11:0] BANK_MASK = 12'd1;

  wire [23:0] bank;

  genvar gi;

  generate
    for (gi = 0; gi < 2; gi = gi + 1) begin : bank_each
      assign bank[gi*12 +: 12] = word[gi*12 +: 12] & BANK_MASK;
    end
  endgenerate

  always @* begin : same_bank_logic
    integer i, j;
    i = 0;
    j = 0;
    same_bank = 4'd0;
    same_word = 4'd0;
    if (active) begin
      for (i = 0; i < 2; i = i + 1) begin
        for (j = 0; j < 2; j = j + 1) begin
          if (j < i) begin
            same_bank[i*2 + j] = bank[i*12 +: 12] == bank[j*12 +: 12];
            same_word[i*2 + j] = word[i*12 +: 12] == word[j*12 +: 12];
          end
        end
      end
    end
  end
endmodule

`default_nettype wire
