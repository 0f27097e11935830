`default_nettype none

// Gives each bank the first lane that maps to it, and with it every lane that wants the same word.
// Latency: combinational.
// Reset: none.
// Invariants: `served` is a subset of `candidates` and holds at least its first lane; where none may share no two
// served lanes have the same bank; lanes of one word are served in lane order.
// W24 is the width of `word`.
module BankArbiter_W24 (
  input wire        active,     // There are candidates; else nobody is served.
  input wire [1:0]  candidates, // Lanes that want an access.
  input wire [23:0] word,       // Word address of each lane.
  input wire [3:0]  same_bank,  // For each lane, the lanes before it that want the same bank.
  input wire [3:0]  same_word,  // For each lane, the lanes before it whose word it shares.
  output reg [1:0]  served,     // Lanes that get theirs in this cycle.
  output reg        complete,   // They are all the candidates.
  output reg [1:0]  bank_valid, // Banks that serve a lane.
  output reg [1:0]  bank_lane,  // Lane that each bank serves.
  output reg [23:0] bank_word   // Word address that each bank serves.
);

  localparam [11:0] BANK_MASK = 12'd1;

  wire [23:0] bank;

  genvar gi;

  // 1. bank of each lane
  generate
    for (gi = 0; gi < 2; gi = gi + 1) begin : bank_each
      assign bank[gi*12 +: 12] = word[gi*12 +: 12] & BANK_MASK;
    end
  endgenerate

  always @* begin : served_logic
    integer i, b;
    reg [1:0] leaders;
    reg       leads;
    reg       shares;
    reg       valid;
    i = 0;
    b = 0;
    served = 2'd0;
    complete = 1'b0;
    bank_valid = 2'd0;
    bank_lane = 2'd0;
    bank_word = 24'd0;
    leaders = 2'd0;
    leads = 1'b0;
    shares = 1'b0;
    valid = 1'b0;
    if (active) begin
      // 2. the first lane of each bank leads
      leaders = 2'd0;
      for (i = 0; i < 2; i = i + 1) begin
        leads = candidates[i] & ((candidates & same_bank[i*2 +: 2]) == 2'd0);
        leaders[i] = leads;
      end
      // 3. whoever wants a leader's word shares it
      for (i = 0; i < 2; i = i + 1) begin
        shares = leaders[i] | (candidates[i] & ((leaders & same_word[i*2 +: 2]) != 2'd0));
        served[i] = shares;
      end
      // 4. all are served if no two want a bank and do not share; that is known sooner than who is
      complete = 1'b1;
      for (i = 0; i < 2; i = i + 1) begin
        if (candidates[i] & ((candidates & same_bank[i*2 +: 2] & ~same_word[i*2 +: 2]) != 2'd0)) begin
          complete = 1'b0;
        end
      end
      // 5. what each bank does; at most one leader is its own
      for (b = 0; b < 2; b = b + 1) begin
        valid = 1'b0;
        for (i = 0; i < 2; i = i + 1) begin
          if (leaders[i] & (bank[i*12 +: 12] == b[11:0])) begin
            valid = 1'b1;
            bank_lane[b] = bank_lane[b] | i[0];
            bank_word[b*12 +: 12] = bank_word[b*12 +: 12] | word[i*12 +: 12];
          end
        end
        bank_valid[b] = valid;
      end
    end
  end
endmodule

`default_nettype wire
