// Warp sharing in the whole core: in every cycle a head leaves its queue if and only if it enters the operand stage of one
// slice, its own or another; so none is issued twice, and none is lost. Front end, operand stages and what is behind them may
// do anything; what is chosen depends on this cycle and the one before.
// depth: 3
// free: WarpTable
// free: InstructionBuffer
// free: InstructionCache
// free: MemoryArbiter
// free: LoadStoreUnit
// free: SpecialUnit
// free: HazardRow
// free: Operands
// free: BankedOperands
// free: IssueBack
// free: ClassOrder
// free: GuestRegisters
// free: Decoder
// free: FaultLatch
// free: ResultReturn
module shared_issue_properties #(
  parameter W = 4,
  parameter S = 2,
  parameter WID_BITS = 2
) (
  input wire clock
);

  (* anyseq *) wire reset;
`include "ports.vh"

  heddle core (
    .clock(clock), .reset(reset), .*
  );

  (* hierconn *) wire [W-1:0] \core.issue_fire_warps ;
  (* hierconn *) wire [W-1:0] \core.ibuffer_heads_mem_warps ;
  (* hierconn *) wire [W-1:0] \core.ibuffer_heads_sfu_warps ;

  wire [W-1:0] left = \core.issue_fire_warps ;
  reg  [W-1:0] entered, twice;
  integer x, y, w;
  always @* begin
    entered = 0;
    twice = 0;
    for (x = 0; x < S; x = x + 1)
      if (trace_issue_valid[x]) begin
        twice = twice | (entered & (1 << trace_issue_wid[x*WID_BITS +: WID_BITS]));
        entered = entered | (1 << trace_issue_wid[x*WID_BITS +: WID_BITS]);
      end
  end

  reg started = 1'b0;
  always @(posedge clock) started <= 1'b1;

  always @* begin
    if (!started) assume (reset);
    // A collector with room is not full: one whose operand stage held still has the instruction. A head is of one class, and
    // age is an order.
    assume (!(trace_sharing_room & trace_sharing_full));
    assume (!(\core.ibuffer_heads_mem_warps & \core.ibuffer_heads_sfu_warps ));
    for (w = 0; w < W; w = w + 1) begin
      assume (!trace_older[w*W + w]);
      for (y = 0; y < W; y = y + 1) if (y != w) assume (trace_older[w*W + y] != trace_older[y*W + w]);
    end
    if (started) begin
      assert (entered == left);
      assert (twice == 0);
      // The operand stage takes what enters.
      assert (!(trace_issue_valid & trace_operand_stall));
    end
  end
endmodule
