//! Names: the textual paths of rust-hdl's syntax tree, and what they are called in Verilog.
use std::collections::HashSet;
use std::sync::LazyLock;

/// One step of a path as the syntax tree has it (`lanes[i]$operand$next`).
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Name(String),
    Index(Index),
}

/// An array index as the source has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Index {
    Number(usize),
    /// A loop variable, or anything else the lowering must know.
    Name(String),
    /// A signal (`self.select.val().index()`).
    Signal(Vec<Step>),
    Operation(Box<Index>, char, Box<Index>),
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn eat(&mut self, expected: &str) -> bool {
        let found = self.text[self.at..].starts_with(expected.as_bytes());
        if found {
            self.at += expected.len();
        }
        found
    }

    fn word(&mut self) -> Option<String> {
        let start = self.at;
        while self.peek().is_ascii_alphanumeric() || self.peek() == b'_' {
            self.at += 1;
        }
        let word = std::str::from_utf8(&self.text[start..self.at]).ok()?;
        (!word.is_empty()).then(|| word.to_owned())
    }

    fn path(&mut self) -> Option<Vec<Step>> {
        let mut steps = vec![Step::Name(self.word()?)];
        loop {
            if self.eat("[") {
                steps.push(Step::Index(self.index(0)?));
                if !self.eat("]") {
                    return None;
                }
            } else if self.eat("$") {
                let word = self.word()?;
                match word.as_str() {
                    "val" | "index" | "into" if self.eat("()") => {}
                    _ => steps.push(Step::Name(word)),
                }
            } else {
                return Some(steps);
            }
        }
    }

    fn index(&mut self, level: usize) -> Option<Index> {
        const LEVELS: [&[u8]; 2] = [b"+-", b"*/%"];
        let Some(operators) = LEVELS.get(level) else {
            return self.index_atom();
        };
        let mut left = self.index(level + 1)?;
        while operators.contains(&self.peek()) {
            let operator = self.peek() as char;
            self.at += 1;
            left = Index::Operation(Box::new(left), operator, Box::new(self.index(level + 1)?));
        }
        Some(left)
    }

    fn index_atom(&mut self) -> Option<Index> {
        if self.eat("(") {
            let inner = self.index(0)?;
            return self.eat(")").then_some(inner);
        }
        let path = self.path()?;
        Some(match path.as_slice() {
            [Step::Name(word)] if word.as_bytes()[0].is_ascii_digit() => Index::Number(
                word.trim_end_matches("usize").trim_end_matches('_').replace('_', "").parse().ok()?,
            ),
            [Step::Name(word)] if !self.text[..self.at].ends_with(b")") => Index::Name(word.clone()),
            _ => Index::Signal(path),
        })
    }
}

/// The steps of a name of the syntax tree; `None` if it is no path.
pub(super) fn parse_path(name: &str) -> Option<Vec<Step>> {
    let text = name.trim_start_matches(['$', '.']).replace('.', "$");
    let text = text.strip_suffix("$next").unwrap_or(&text);
    let mut parser = Parser { text: text.as_bytes(), at: 0 };
    let path = parser.path()?;
    (parser.at == text.len()).then_some(path)
}

/// The text of a comment: rust-hdl hands on the macro call, more or less stripped of its name.
pub(super) fn comment_text(call: &str) -> &str {
    let Some(start) = call.find("comment").filter(|&at| at < 2) else { return call };
    let text = call[start..].split_once('"').map_or(call, |(_, rest)| rest);
    text.rsplit_once('"').map_or(text, |(text, _)| text)
}

/// `AluOp` becomes `ALU_OP`, `next_pc` becomes `NEXT_PC`.
pub(super) fn upper_snake(name: &str) -> String {
    let mut upper = String::new();
    let mut previous = '_';
    for c in name.chars() {
        if c.is_uppercase() && (previous.is_lowercase() || previous.is_ascii_digit()) {
            upper.push('_');
        }
        upper.extend(c.to_uppercase());
        previous = c;
    }
    upper
}

/// Reserved words of Verilog-2005 and SystemVerilog: no signal, module or block may be called so.
pub(super) fn is_keyword(name: &str) -> bool {
    static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| KEYWORDS.split_ascii_whitespace().collect());
    SET.contains(name)
}

const KEYWORDS: &str = "
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins
binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const
constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge
else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule
endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually expect
export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global
highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input
inside instance int integer interconnect interface intersect join join_any join_none large let liblist library local
localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor
noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program
property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0
rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled
signed small soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1
sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1
tri tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var
vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor";

/// What a signal is called: the names that lead to it, but for those of bundles that do not count.
pub(super) fn joined(names: &[&str]) -> String {
    let names = names.iter().copied().filter(|name| !name.ends_with('_'));
    names.collect::<Vec<_>>().join("_")
}

/// What a net at a child's port is called: block and port, without saying twice what the one ends and the other begins with.
pub(super) fn net_name(block: &[&str], port: &[&str]) -> String {
    let (block, port) = (joined(block), joined(port));
    let begins =
        |word: &str| port.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    // An array is named in the plural, its elements' ports in the singular.
    let singulars = |word: &str| ["", "s", "es"].map(|end| word.strip_suffix(end).unwrap_or(word).to_owned());
    if singulars(&block).iter().any(|word| begins(word)) {
        return port;
    }
    match block.rsplit_once('_') {
        Some((rest, last)) if singulars(last).iter().any(|word| begins(word)) => format!("{rest}_{port}"),
        _ => format!("{block}_{port}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_rust_hdl_prints_them() {
        let name = |text: &str| Step::Name(text.into());
        assert_eq!(parse_path("sched$onehot"), Some(vec![name("sched"), name("onehot")]));
        let plus = Index::Operation(Box::new(Index::Name("i".into())), '+', Box::new(Index::Number(1)));
        assert_eq!(
            parse_path("lanes[(i+1_usize)]$a$next"),
            Some(vec![name("lanes"), Step::Index(plus), name("a")])
        );
        assert_eq!(
            parse_path("x[sel$val()$index()]"),
            Some(vec![name("x"), Step::Index(Index::Signal(vec![name("sel")]))])
        );
        assert_eq!(parse_path("x[i"), None);
        assert_eq!(parse_path("f(x)"), None);
        assert_eq!(upper_snake("AluOp"), "ALU_OP");
        assert!(is_keyword("wait") && !is_keyword("waiting"));
    }

    #[test]
    fn a_net_does_not_stutter() {
        let net = |block: &str, port: &str| net_name(&[block], &[port]);
        assert_eq!(net("lsu", "lsu_busy"), "lsu_busy");
        assert_eq!(net("lsu", "busy"), "lsu_busy");
        assert_eq!(net("icaches", "icache_hit"), "icache_hit");
        assert_eq!(net("back_branches", "branch_taken"), "back_branch_taken");
        assert_eq!(net("lsu", "lsux"), "lsu_lsux");
    }
}
