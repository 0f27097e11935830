//! The decoder's Verilog: one `casez` line an instruction, then what follows from format and kind.
//!
//! Text rather than a kernel, because the kernel language has no pattern with don't-care bits.
use super::{alu_op, b_is_imm, collector, fpu_op, is_float, rows, unit};
use crate::config::bits_for;
use crate::isa::csr::{self, CSRS};
use crate::isa::{Format, Instr, Latency};
use crate::rtl::op::{Collector, Unit};
use std::fmt::Write;

/// One code of the intermediate encoding that a `casez` line assigns.
struct Code<T> {
    value: T,
    name: String,
    number: usize,
}

/// The distinct `values`, numbered from 0 in the order of first use.
fn codes<T: Copy + PartialEq>(values: impl Iterator<Item = T>, name: impl Fn(T) -> String) -> Vec<Code<T>> {
    let mut codes: Vec<Code<T>> = Vec::new();
    for value in values {
        if codes.iter().all(|code| code.value != value) {
            codes.push(Code { value, name: name(value), number: codes.len() });
        }
    }
    codes
}

/// `selector == A || selector == B ..` over the codes that satisfy `wanted`.
fn any_of<T: Copy>(selector: &str, codes: &[Code<T>], wanted: impl Fn(T) -> bool) -> String {
    let terms: Vec<_> = codes
        .iter()
        .filter(|code| wanted(code.value))
        .map(|code| format!("{selector} == {}", code.name))
        .collect();
    if terms.is_empty() {
        "1'b0".into()
    } else {
        terms.join(" || ")
    }
}

/// The pattern of a row as a `casez` item, with `_` between the fields of an R-type.
fn pattern(row: &Instr) -> String {
    let mut text = String::from("32'b");
    for bit in (0..32).rev() {
        text.push(match (row.mask >> bit & 1, row.bits >> bit & 1) {
            (0, _) => '?',
            (_, 0) => '0',
            _ => '1',
        });
        if [25, 20, 15, 12, 7].contains(&bit) {
            text.push('_');
        }
    }
    text
}

/// The immediate of a format, as an expression over `instr`; `None` if it is that of an I-type, or does not matter.
fn immediate(format: Format) -> Option<&'static str> {
    match format {
        Format::S | Format::FpStore => Some("{{20{instr[31]}}, instr[31:25], instr[11:7]}"),
        Format::B => Some("{{20{instr[31]}}, instr[7], instr[30:25], instr[11:8], 1'b0}"),
        Format::U => Some("{instr[31:12], 12'd0}"),
        Format::J => Some("{{12{instr[31]}}, instr[19:12], instr[20], instr[30:21], 1'b0}"),
        Format::Bare => Some("32'd4"),
        _ => None,
    }
}

/// Name and number of what the unit of a row does.
fn operation(row: &Instr) -> (String, usize) {
    match fpu_op(row.op) {
        Some(op) => (format!("FPU_{op:?}").to_uppercase(), op as usize),
        None => (format!("ALU_{:?}", alu_op(row.op)).to_uppercase(), alu_op(row.op) as usize),
    }
}

/// The body of the module.
pub(super) fn verilog(fpu: bool) -> String {
    let rows = || rows(fpu);
    let formats = codes(rows().map(|row| row.format), |f| format!("FORMAT_{f:?}").to_uppercase());
    let kinds = codes(rows().map(|row| Some(row.latency)).chain([None]), |kind| match kind {
        Some(kind) => format!("KIND_{kind:?}").to_uppercase(),
        None => "KIND_ILLEGAL".into(),
    });
    let mut operations: Vec<(String, usize)> = Vec::new();
    for operation in rows().map(operation) {
        if !operations.contains(&operation) {
            operations.push(operation);
        }
    }
    fn name<T: PartialEq>(codes: &[Code<T>], value: T) -> &str {
        codes.iter().find(|code| code.value == value).map_or("", |code| &code.name)
    }

    let mut text = String::from(
        "// module Decoder\n\
         // One line of the casez for each instruction of the table; the outputs follow from format and kind.\n",
    );
    fn declare<'a>(text: &mut String, width: usize, codes: impl Iterator<Item = (&'a str, usize)>) {
        for (name, number) in codes {
            _ = writeln!(text, "localparam [{}:0] {name} = {width}'d{number};", width - 1);
        }
        text.push('\n');
    }
    let format_bits = bits_for(formats.len());
    declare(&mut text, format_bits, formats.iter().map(|code| (code.name.as_str(), code.number)));
    declare(&mut text, 4, kinds.iter().map(|code| (code.name.as_str(), code.number)));
    declare(&mut text, 5, operations.iter().map(|(name, number)| (name.as_str(), *number)));

    _ = writeln!(text, "reg [{}:0] format;\nreg [3:0] kind;", format_bits - 1);
    text += "reg [4:0] operation;\nreg [31:0] immediate;\n";
    let rounds = any_of("format", &formats, Format::has_rounding);
    text.push('\n');
    text += "always @* begin\n  (* parallel_case *)  // the table proves that no two patterns overlap\n  casez (instr)\n";
    for row in rows() {
        let (format, kind) = (name(&formats, row.format), name(&kinds, Some(row.latency)));
        let (operation, _) = operation(row);
        _ = writeln!(
            text,
            "    {}: {{format, kind, operation}} = {{{format}, {kind}, {operation}}};  // {}",
            pattern(row),
            row.mnemonic
        );
    }
    text += "    default: {format, kind, operation} = {FORMAT_BARE, KIND_ILLEGAL, ALU_ADD};\n  endcase\n";
    if fpu {
        text += "  if ((instr[14:12] == 3'd5 || instr[14:12] == 3'd6) &&\n";
        _ = writeln!(text, "      ({rounds}))");
        text += "    {format, kind, operation} = {FORMAT_BARE, KIND_ILLEGAL, ALU_ADD};  // reserved rounding modes\n";
    }
    text += "end\n\n";

    text += "always @* begin\n  case (format)\n";
    for code in &formats {
        if let Some(bits) = immediate(code.value) {
            _ = writeln!(text, "    {}: immediate = {bits};", code.name);
        }
    }
    text += "    default: immediate = {{20{instr[31]}}, instr[31:20]};\n  endcase\nend\n\n";

    let format_is = |wanted: fn(Format) -> bool| any_of("format", &formats, wanted);
    let kind_is = |wanted: fn(Option<Latency>) -> bool| any_of("kind", &kinds, wanted);
    let mut assign = |port: &str, value: &str| _ = writeln!(text, "assign {port} = {value};");
    let choose = |codes: [(usize, String); 3], last: usize| {
        let chain: String = codes.iter().map(|(code, test)| format!("{test} ? 2'd{code} : ")).collect();
        format!("{chain}2'd{last}")
    };
    let unit_is = |wanted: Unit| (wanted as usize, any_of("kind", &kinds, |kind| unit(kind) == wanted));
    let collector_is =
        |wanted: Collector| (wanted as usize, any_of("kind", &kinds, |kind| collector(kind) == wanted));

    assign(
        "unit",
        &choose([unit_is(Unit::Alu), unit_is(Unit::MulDiv), unit_is(Unit::Lsu)], Unit::Sfu as usize),
    );
    let collectors = [Collector::Sp, Collector::Mem, Collector::Sfu].map(collector_is);
    assign("collector", &choose(collectors, Collector::Sfu as usize));
    assign("legal", "kind != KIND_ILLEGAL");
    let float = any_of("format", &formats, Format::names_float);
    let named = if fpu { format!("(instr[11:7] != 5'd0 || {float})") } else { "instr[11:7] != 5'd0".into() };
    assign("use_rd", &format!("{named} && ({})", format_is(Format::writes_rd)));
    assign("use_rs1", &format_is(Format::reads_rs1));
    assign("use_rs2", &format_is(Format::reads_rs2));
    let file = |is_float: fn(Format) -> bool| match fpu {
        true => any_of("format", &formats, is_float),
        false => "1'b0".into(),
    };
    assign("rd", &format!("{{{}, instr[11:7]}}", file(Format::rd_is_float)));
    assign("rs1", &format!("{{{}, instr[19:15]}}", file(Format::rs1_is_float)));
    assign("rs2", &format!("{{{}, instr[24:20]}}", file(Format::rs2_is_float)));
    assign("imm", "immediate");
    assign("funct3", "instr[14:12]");
    assign("alu_op", if fpu { "fpu ? ALU_ADD : operation" } else { "operation" });
    assign(
        "operand_a_pc",
        "(format == FORMAT_U && operation == ALU_ADD) || format == FORMAT_J || format == FORMAT_BARE",
    );
    assign("operand_b_imm", &format_is(b_is_imm));
    assign("branch", "kind == KIND_BRANCH");
    assign("jump", "kind == KIND_JUMP");
    assign("jalr", "kind == KIND_JUMP && format == FORMAT_I");
    assign("muldiv_div", "kind == KIND_DIV");
    assign("load", "kind == KIND_LOAD");
    assign("store", "kind == KIND_STORE");
    assign("fence", "kind == KIND_FENCE");
    assign("fence_i", "kind == KIND_FENCE && format == FORMAT_BARE");
    assign("csr", "kind == KIND_CSR");
    assign("csr_imm", "format == FORMAT_CSRIMM");
    assign("wctl", "kind == KIND_WARP && instr[14:12] != 3'd4");
    assign("barrier", "kind == KIND_WARP && instr[14:12] == 3'd4");
    let blocks = kind_is(super::blocks_issue);
    assign("blocks_issue", &if fpu { format!("{blocks} || drains") } else { blocks });
    assign("stops_fetch", "legal == 1'b0 || wctl || fence_i");
    if fpu {
        assign("fpu", &kind_is(is_float));
        assign("fpu_op", "fpu ? operation : FPU_ADD");
        assign("dynamic_rounding", &format!("instr[14:12] == 3'd7 && ({rounds})"));
        assign("use_rs3", &format_is(Format::reads_rs3));
        assign("rs3", "{1'b1, instr[31:27]}");
        let float_csrs = CSRS.iter().filter(|row| csr::needs_fpu(row.first));
        let float_csrs: Vec<_> =
            float_csrs.map(|row| format!("instr[31:20] == 12'h{:03x}", row.first)).collect();
        assign("drains", &format!("csr && ({})", float_csrs.join(" || ")));
    }
    text
}
