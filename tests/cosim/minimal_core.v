// A core of one warp and one lane, as small as it gets, with the top-level ports of a generated one: it
// lets the co-simulation harness be tested apart from the hardware that it exists to test. One instruction
// at a time: fetch a line, issue, perform, commit. Knows addi, add, lui, lw, sw, bne, fence and tmc. The test adds
// the rest of the trace port, all 0.
module heddle(
    input clock, input reset, input [31:0] start_pc, input [31:0] start_arg, input [7:0] mpm_class,
    output busy,
    output mem_req_valid, output mem_req_rw, output [63:0] mem_req_byteen, output [25:0] mem_req_addr,
    output [511:0] mem_req_data, output [7:0] mem_req_tag, input mem_req_ready,
    input mem_rsp_valid, input [511:0] mem_rsp_data, input [7:0] mem_rsp_tag, output mem_rsp_ready,
    output fault_valid, output fault_wid, output [31:0] fault_pc, output [3:0] fault_cause, output [31:0] fault_addr,
    output trace_issue_valid, output [31:0] trace_issue_pc, output [31:0] trace_issue_instr,
    output trace_issue_tmask,
    output trace_commit_valid, output [5:0] trace_commit_rd, output trace_commit_tmask,
    output trace_commit_last, output [31:0] trace_commit_data,
    output trace_access_valid, output trace_access_store, output [31:0] trace_access_pc, output trace_access_tmask,
    output [2:0] trace_access_funct3, output [31:0] trace_access_addr, output [31:0] trace_access_data,
    output trace_fetch_ready_warps, output trace_fetch_fire, output trace_fetch_grant_oh,
    output trace_issue_sched_ready_warps, output trace_issue_sched_fire,
    output trace_issue_sched_grant_oh,
    output trace_active_warps, output trace_start_warps, output trace_cta_start, output trace_kernel_start,
    output trace_stall_ibuffer, output trace_stall_scoreboard,
    output trace_icache_miss
);
localparam BOOT = 0, FETCH = 1, FILL = 2, ISSUE = 3, REQUEST = 4, RESPONSE = 5, COMMIT = 6, IDLE = 7;
reg [2:0] state;
reg [31:0] pc, instr, result, x [0:31];
reg fault;

wire [6:0] opcode = instr[6:0];
wire [4:0] rd = instr[11:7];
wire [31:0] rs1 = instr[19:15] == 0 ? 0 : x[instr[19:15]];
wire [31:0] rs2 = instr[24:20] == 0 ? 0 : x[instr[24:20]];
wire [31:0] imm_i = {{20{instr[31]}}, instr[31:20]};
wire [31:0] imm_s = {{20{instr[31]}}, instr[31:25], instr[11:7]};
wire [31:0] imm_b = {{20{instr[31]}}, instr[7], instr[30:25], instr[11:8], 1'b0};
wire is_load = opcode == 7'h03, is_store = opcode == 7'h23;
wire [31:0] address = rs1 + (is_store ? imm_s : imm_i);
wire is_legal = opcode == 7'h13 || opcode == 7'h33 || opcode == 7'h37 || is_load || is_store
    || opcode == 7'h63 || opcode == 7'h0f || opcode == 7'h0b;
wire misaligned = (is_load || is_store) && address[1:0] != 0;

assign busy = state != IDLE;
assign mem_req_valid = state == FETCH || state == REQUEST;
assign mem_req_rw = state == REQUEST && is_store;
assign mem_req_byteen = 64'hf << address[5:0];
assign mem_req_data = {480'b0, rs2} << {address[5:0], 3'b0};
assign mem_req_addr = state == FETCH ? pc[31:6] : address[31:6];
assign mem_req_tag = state == FETCH ? 8'h80 : 8'h00;
assign mem_rsp_ready = 1;
assign fault_valid = fault;
assign fault_pc = pc;
assign fault_cause = !is_legal ? 1 : is_load ? 2 : 3;
assign fault_addr = address;
assign trace_issue_valid = state == ISSUE;
assign trace_issue_pc = pc;
assign trace_issue_instr = instr;
assign trace_issue_tmask = 1;
assign trace_commit_valid = state == COMMIT;
assign trace_commit_rd = {1'b0, rd};
assign trace_commit_tmask = 1;
assign trace_commit_last = 1;
assign trace_commit_data = result;
assign trace_access_valid = state == REQUEST && mem_req_ready && (is_store || rd != 0);
assign trace_access_store = is_store;
assign trace_access_pc = pc;
assign trace_access_tmask = 1;
assign trace_access_funct3 = instr[14:12];
assign trace_access_addr = address;
assign trace_access_data = rs2;
assign trace_fetch_ready_warps = state == FETCH;
assign trace_fetch_grant_oh = state == FETCH;
assign trace_fetch_fire = state == FETCH && mem_req_ready;
assign trace_issue_sched_ready_warps = state == ISSUE;
assign trace_issue_sched_grant_oh = state == ISSUE;
assign trace_issue_sched_fire = state == ISSUE;
assign trace_active_warps = state != IDLE && state != BOOT;
assign trace_start_warps = state == BOOT;
assign trace_cta_start = state == BOOT;
assign trace_kernel_start = state == BOOT;
assign trace_stall_ibuffer = state == FETCH || state == FILL;
assign trace_stall_scoreboard = state == REQUEST || state == RESPONSE || state == COMMIT;
assign trace_icache_miss = state == FETCH && mem_req_ready;

always @(posedge clock) begin
    case (state)
    BOOT: begin pc <= start_pc; state <= FETCH; end
    FETCH: if (mem_req_ready) state <= FILL;
    FILL: if (mem_rsp_valid) begin instr <= mem_rsp_data[{pc[5:2], 5'b0} +: 32]; state <= ISSUE; end
    ISSUE: begin
        state <= FETCH;
        pc <= pc + 4;
        if (opcode == 7'h63 && rs1 != rs2) pc <= pc + imm_b;
        if (opcode == 7'h0b && rs1[0] == 0) state <= IDLE;
        if (is_load || is_store) begin state <= REQUEST; pc <= pc; end
        if (opcode == 7'h13 || opcode == 7'h33 || opcode == 7'h37) begin
            state <= rd == 0 ? FETCH : COMMIT;
            result <= opcode == 7'h37 ? {instr[31:12], 12'b0} : rs1 + (opcode == 7'h13 ? imm_i : rs2);
        end
        if (!is_legal || misaligned) begin fault <= 1; pc <= pc; state <= IDLE; end
    end
    REQUEST: if (mem_req_ready) begin
        state <= is_load ? RESPONSE : FETCH;
        if (is_store) pc <= pc + 4;
    end
    RESPONSE: if (mem_rsp_valid) begin
        result <= mem_rsp_data[{address[5:2], 5'b0} +: 32];
        pc <= pc + 4;
        state <= COMMIT;
    end
    COMMIT: begin x[rd] <= result; state <= FETCH; end
    IDLE: ;
    endcase
    if (reset) begin state <= BOOT; fault <= 0; end
end

assign fault_wid = 0;
endmodule
