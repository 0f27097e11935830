//! What of a Verilog text says which circuit it is: with another comment it is the same.

/// The text without comments and empty lines. Comments that tools read, and lines with strings, stay.
pub(super) fn circuit(verilog: &str) -> String {
    let lines: Vec<&str> = verilog.lines().map(without_comment).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// A line without the comment that ends it, and without the blanks around. A line with a string, or with what may begin or end a
/// comment of several lines, keeps it.
fn without_comment(line: &str) -> &str {
    match line.split_once("//") {
        Some((code, comment)) if !line.contains(['"', '*']) && !comment.contains("verilator") => code.trim(),
        _ => line.trim(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_do_not_count() {
        let plain = circuit("module a;\n  wire b; // what for\nendmodule\n");
        assert_eq!(plain, circuit("// What it is.\n\nmodule a;\n  wire b;\nendmodule\n"));
        for other in [
            "module a;\n  wire c;\nendmodule\n",
            "module a;\n  // wire b;\nendmodule\n",
            "module a; wire b; endmodule\n",
            "module a;\n  wire b; // verilator public\nendmodule\n",
            "module a;\n  wire b;\n  initial $display(\"//\");\nendmodule\n",
        ] {
            assert_ne!(plain, circuit(other), "{other}");
        }
        assert_ne!(circuit("initial $display(\"// a\");"), circuit("initial $display(\"// b\");"));
    }
}
