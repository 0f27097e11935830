`default_nettype none

// Recognises the CSR numbers of the table.
module CsrNumbers (
  input wire         active,
  input wire  [11:0] number,
  output wire        known
);

  reg listed;

  always @(*) begin
    listed = 1'b0;
    if (active) listed =
        (number == 12'h180) /* satp */ |
        (number == 12'h300) /* mstatus */ |
        (number == 12'h301) /* misa */ |
        (number == 12'h302) /* medeleg */ |
        (number == 12'h303) /* mideleg */ |
        (number == 12'h304) /* mie */ |
        (number == 12'h305) /* mtvec */ |
        (number == 12'h340) /* mscratch */ |
        (number == 12'h341) /* mepc */ |
        (number == 12'h3a0) /* pmpcfg0 */ |
        (number == 12'h3b0) /* pmpaddr0 */ |
        (number == 12'h744) /* mnstatus */ |
        (number == 12'hb00) /* mcycle */ |
        (number == 12'hb02) /* minstret */ |
        (number >= 12'hb03 && number <= 12'hb1f) /* mhpmcounter3 */ |
        (number == 12'hb80) /* mcycleh */ |
        (number == 12'hb82) /* minstreth */ |
        (number >= 12'hb83 && number <= 12'hb9f) /* mhpmcounter3h */ |
        (number == 12'hcc0) /* vx_thread_id */ |
        (number == 12'hcc1) /* vx_warp_id */ |
        (number == 12'hcc2) /* vx_core_id */ |
        (number == 12'hcc3) /* vx_active_warps */ |
        (number == 12'hcc4) /* vx_active_threads */ |
        (number == 12'hcd0) /* vx_cta_id */ |
        (number == 12'hcd1) /* vx_cta_rank */ |
        (number == 12'hcd2) /* vx_cta_size */ |
        (number == 12'hcd3) /* vx_cta_thread_id_x */ |
        (number == 12'hcd4) /* vx_cta_thread_id_y */ |
        (number == 12'hcd5) /* vx_cta_thread_id_z */ |
        (number == 12'hcd6) /* vx_cta_block_id_x */ |
        (number == 12'hcd7) /* vx_cta_block_id_y */ |
        (number == 12'hcd8) /* vx_cta_block_id_z */ |
        (number == 12'hcd9) /* vx_cta_block_dim_x */ |
        (number == 12'hcda) /* vx_cta_block_dim_y */ |
        (number == 12'hcdb) /* vx_cta_block_dim_z */ |
        (number == 12'hcdc) /* vx_cta_grid_dim_x */ |
        (number == 12'hcdd) /* vx_cta_grid_dim_y */ |
        (number == 12'hcde) /* vx_cta_grid_dim_z */ |
        (number == 12'hcdf) /* vx_cta_lmem_addr */ |
        (number == 12'hce0) /* vx_cta_cluster_size */ |
        (number == 12'hce1) /* vx_cta_entry */ |
        (number == 12'hf11) /* mvendorid */ |
        (number == 12'hf12) /* marchid */ |
        (number == 12'hf13) /* mimpid */ |
        (number == 12'hf14) /* mhartid */ |
        (number == 12'hfc0) /* vx_num_threads */ |
        (number == 12'hfc1) /* vx_num_warps */ |
        (number == 12'hfc2) /* vx_num_cores */ |
        (number == 12'hfc3) /* vx_local_mem_base */;
  end

  assign known = listed;
endmodule

`default_nettype wire
