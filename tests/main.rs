//! Every test of whole parts, in one program: linked once, and whoever changes the library waits for one link.
//! Unit tests stand beside what they test, in `src/`.

// What the tests share.
mod fixtures;
mod fuzz;
mod model_common;
mod rtl_bench;
mod rtl_issue_bench;
mod runs;
mod sample;
mod simulators;
mod tool_cache;

// Instruction set and reference model, against outside sources.
mod divergence;
mod isa_random;
mod isa_table;
mod kernel_entries;
mod kernels_functional;
mod model_faults;
mod model_float;
mod model_qemu;
mod model_qemu_float;
mod model_scalar;
mod model_simt;
mod model_warps;

// Back end: rust-hdl to Verilog.
mod golden;
mod verilog_bundles;
mod verilog_cells;
mod verilog_form;
mod verilog_fuzz;
mod verilog_links;
mod verilog_toy_core;
mod verilog_traps;

// Hardware, module by module.
mod formal;
mod parameters;
mod results;
mod riscv_tests;
mod rtl_alu;
mod rtl_axi;
mod rtl_board;
mod rtl_bus;
mod rtl_counters;
mod rtl_divider;
mod rtl_fpu;
mod rtl_front;
mod rtl_grid;
mod rtl_issue;
mod rtl_lsu;
mod rtl_sfu;
mod rtl_sharing;
mod sched_contract;

// Whole cores beside the model.
mod board;
mod cosim_collect;
mod cosim_core;
mod cosim_float;
mod cosim_fuzz;
mod cosim_grid;
mod cosim_harness;
mod cosim_kaws;
mod cosim_many;
mod cosim_predict;
mod cosim_sched;
mod cosim_sharing;
mod cosim_swas;
mod cosim_verilator;
mod counters;
mod engine;
mod faults;
mod kernels_vortex;
mod litmus;

// Programs as their users meet them, and what the documents promise.
mod bench_cli;
mod build_cli;
mod cc_cli;
mod fpga_cli;
mod gen_cli;
mod launched;
mod outputs;
mod pgo;
mod sim_cli;
mod sim_memory;
mod sim_source;
mod starved;
mod tidy;
mod views;
