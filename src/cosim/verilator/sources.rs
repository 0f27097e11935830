//! What Verilator wrote: which C++ files belong to the model, and its ports.

/// C++ files of a model, as `Vm_classes.mk` lists them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sources {
    /// Evaluation code, which runs every cycle.
    pub(super) fast: Vec<String>,
    /// Construction and tracing set-up, which runs once.
    pub(super) slow: Vec<String>,
    /// Files of Verilator's run-time library.
    pub(super) global: Vec<String>,
}

impl Sources {
    pub(super) fn parse(classes: &str) -> Self {
        let mut sources = Self::default();
        let mut list = None;
        for line in classes.lines() {
            if let Some(name) = line.strip_suffix("+= \\") {
                list = Some(match name.trim() {
                    "VM_CLASSES_FAST" | "VM_SUPPORT_FAST" => &mut sources.fast,
                    "VM_CLASSES_SLOW" | "VM_SUPPORT_SLOW" => &mut sources.slow,
                    _ => &mut sources.global,
                });
                continue;
            }
            let file = line.trim().strip_suffix('\\').map(str::trim).filter(|f| !f.is_empty());
            match (&mut list, file) {
                (Some(list), Some(file)) => list.push(format!("{file}.cpp")),
                _ => list = None,
            }
        }
        sources
    }
}

/// The `X(name, width, direction)` lines that the shim includes, from lines of the model's header
/// such as `VL_IN8(&clk,0,0);`: the port list as Verilator itself sees it, parameters resolved.
pub(super) fn port_table(header: &str) -> String {
    header.lines().filter_map(port_entry).collect()
}

fn port_entry(line: &str) -> Option<String> {
    let (kind, rest) = line.trim().strip_prefix("VL_")?.split_once("(&")?;
    let direction = match kind {
        _ if kind.starts_with("INOUT") => 2,
        _ if kind.starts_with("IN") => 0,
        _ if kind.starts_with("OUT") => 1,
        _ => return None,
    };
    let mut fields = rest.split(')').next()?.split(',');
    let name = fields.next()?;
    let high: u32 = fields.next()?.parse().ok()?;
    let low: u32 = fields.next()?.parse().ok()?;
    Some(format!("X({name}, {}, {direction})\n", high - low + 1))
}

/// Verilator's C++ name of a Verilog port.
pub(super) fn mangle(name: &str) -> String {
    let encode = |c: char| match c {
        _ if c.is_ascii_alphanumeric() || c == '_' => c.to_string(),
        _ => format!("__0{:02X}", u32::from(c)),
    };
    let parts: Vec<String> = name.split("__").map(|part| part.chars().map(encode).collect()).collect();
    parts.join("___05F")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_lists_are_read() {
        let text =
            "VM_PARALLEL_BUILDS = 0\nVM_CLASSES_FAST += \\\n\tVm \\\n\tVm__1 \\\n\nVM_CLASSES_SLOW += \\\n\
                    \tVm__Slow \\\n\n# note\nVM_GLOBAL_FAST += \\\n\tverilated \\\n";
        let sources = Sources::parse(text);
        assert_eq!(sources.fast, ["Vm.cpp", "Vm__1.cpp"]);
        assert_eq!(sources.slow, ["Vm__Slow.cpp"]);
        assert_eq!(sources.global, ["verilated.cpp"]);
    }

    #[test]
    fn ports_are_read_from_the_header() {
        let text =
            "    VL_IN8(&clock,0,0);\n  VL_OUTW(&data,511,0,16);\n  VL_OUT64(&x,39,0);\n VL_SIG(&no,1,0);\n";
        assert_eq!(port_table(text), "X(clock, 1, 0)\nX(data, 512, 1)\nX(x, 40, 1)\n");
    }

    #[test]
    fn names_are_mangled_as_verilator_does() {
        assert_eq!(mangle("plain_name"), "plain_name");
        assert_eq!(mangle("a__b"), "a___05Fb");
        assert_eq!(mangle("a$b"), "a__024b");
    }
}
