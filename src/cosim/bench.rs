//! What stands around the core in its simulator.

use std::fmt::Write;

use hdl::verilog::{Design, Port};

/// Name of the module around the core.
pub(super) const BENCH: &str = "heddle_bench";
/// The input that is passed on as it is.
const CLOCK: &str = "clock";

/// A module with the ports of `design` and the design in it, behind a register for each input: what is written to a port
/// before the clock rises is there afterwards, as if a register outside drove it.
///
/// So nothing in the core follows from an input of the model at once, and Verilator evaluates the core once a cycle. It
/// evaluates whatever follows from inputs in each of its calls, changed or not: twice more a cycle.
pub(super) fn bench(design: &Design) -> String {
    let ports = &design.ports;
    let held = |port: &&Port| port.input && port.name != CLOCK;
    let mut text = format!("// The core behind registers, for the simulator.\nmodule {BENCH}(");
    let list = |line: &dyn Fn(&Port) -> String| ports.iter().map(line).collect::<Vec<_>>().join(",");
    text += &list(&|Port { name, width, input }| {
        let direction = if *input { "input" } else { "output" };
        format!("\n  {direction} wire [{}:0] {name}", width - 1)
    });
    text += ");\n";
    for Port { name, width, .. } in ports.iter().filter(held) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  reg [{}:0] {name}_now;\n  always @(posedge {CLOCK}) {name}_now <= {name};",
            width - 1
        );
    }
    let _ = write!(text, "  {top} {top}(", top = design.top);
    text += &list(&|port| {
        let name = &port.name;
        let now = if held(&port) { "_now" } else { "" };
        format!("\n    .{name}({name}{now})")
    });
    text += ");\nendmodule\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_pass_a_register_and_outputs_do_not() {
        let port = |name: &str, width, input| Port { name: name.into(), width, input };
        let ports = vec![port("clock", 1, true), port("a", 8, true), port("y", 8, false)];
        let text = bench(&Design { top: "core".into(), ports, modules: vec![], package: Default::default() });
        let expected = "\
// The core behind registers, for the simulator.
module heddle_bench(
  input wire [0:0] clock,
  input wire [7:0] a,
  output wire [7:0] y);
  reg [7:0] a_now;
  always @(posedge clock) a_now <= a;
  core core(
    .clock(clock),
    .a(a_now),
    .y(y));
endmodule
";
        assert_eq!(text, expected);
    }
}
