// The age matrix: a strict total order of all warps for ever, since it has no counter that could wrap; a warp that starts is
// younger than all that do not; of those that start together the smaller slot is older; the order of the others stays.
module age_matrix_properties #(
  parameter W = 4
) (
  input wire clock
);

  (* anyseq *) wire         reset;
  (* anyseq *) wire [W-1:0] start_warps;
  wire [W*W-1:0]            older;
  wire                      is_order;

  age_matrix unit (.*);
  total_order #(.W(W)) ages (.older(older), .holds(is_order));

  reg           started = 1'b0;
  reg           was_reset;
  reg [W-1:0]   was_start;
  reg [W*W-1:0] was_older;
  always @(posedge clock) begin
    started <= 1'b1;
    was_reset <= reset;
    was_start <= start_warps;
    was_older <= older;
  end

  integer i, j;
  always @* begin
    if (!started) assume (reset);
    if (started) begin
      assert (is_order);
      for (i = 0; i < W; i = i + 1) for (j = 0; j < W; j = j + 1) begin
        if (was_reset) assert (older[i*W + j] == (j < i));
        else case ({was_start[i], was_start[j]})
          2'b00: assert (older[i*W + j] == was_older[i*W + j]);
          2'b01: assert (!older[i*W + j]);
          2'b10: assert (older[i*W + j]);
          2'b11: assert (older[i*W + j] == (j < i));
        endcase
      end
    end
  end
endmodule
