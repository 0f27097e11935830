//! The decoder's Verilog: one `casez` line an instruction, by opcode, says what is legal; the facts are sums of products.
//!
//! Text rather than logic in rust-hdl, which has no pattern with don't-care bits.
use super::facts::Facts;
use super::{fpu_op, rows, NAMED};
use crate::prelude::*;
use isa::csr::{self, CSRS};
use isa::{Extensions, Format, Instr};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Bits of the major opcode, the lowest of a word. Every row of the table names it whole.
const OPCODE_BITS: usize = 7;

/// The pattern of a row as a `casez` item of what stands above its opcode, with `_` between the fields of an R-type.
fn pattern(row: &Instr) -> String {
    let mut text = String::from("25'b");
    for bit in (OPCODE_BITS..32).rev() {
        text.push(match (row.mask >> bit & 1, row.bits >> bit & 1) {
            (0, _) => '?',
            (_, 0) => '0',
            _ => '1',
        });
        if [25, 20, 15, 12].contains(&bit) {
            text.push('_');
        }
    }
    text
}

/// The immediate of a format, as an expression over `instr`; `None` if it is that of an I-type.
fn immediate(format: Format) -> Option<&'static str> {
    match format {
        Format::S | Format::FpStore => Some("{{20{instr[31]}}, instr[31:25], instr[11:7]}"),
        Format::B => Some("{{20{instr[31]}}, instr[7], instr[30:25], instr[11:8], 1'b0}"),
        Format::U => Some("{instr[31:12], 12'd0}"),
        Format::J => Some("{{12{instr[31]}}, instr[19:12], instr[20], instr[30:21], 1'b0}"),
        Format::Bare => Some("32'd4"),
        Format::Amo => Some("32'd0"),
        _ => None,
    }
}

/// For each opcode a `casez` on the rest of the word: a line for each row that `value` has something for, and the default.
fn casez(
    rows: impl Iterator<Item = &'static Instr>,
    output: &str,
    default: &str,
    value: impl Fn(&Instr) -> Option<String>,
) -> String {
    let mut opcodes: BTreeMap<u32, String> = BTreeMap::new();
    for row in rows {
        if let Some(value) = value(row) {
            let opcode = (1 << OPCODE_BITS) - 1;
            debug_assert_eq!(row.mask & opcode, opcode, "{}", row.mnemonic);
            let lines = opcodes.entry(row.bits & opcode).or_default();
            _ = writeln!(lines, "        {}: {output} = {value};  // {}", pattern(row), row.mnemonic);
        }
    }
    let mut text = String::from(
        "always @* begin\n  // The table proves that no two patterns of an opcode overlap.\n  case (instr[6:0])\n",
    );
    for (opcode, lines) in opcodes {
        _ = write!(
            text,
            "    7'b{opcode:07b}:\n      (* parallel_case *)\n      \
             casez (instr[31:7])\n{lines}        default: {output} = {default};\n      endcase\n"
        );
    }
    _ = writeln!(text, "    default: {output} = {default};\n  endcase\nend\n");
    text
}

/// The body of the module.
pub(super) fn verilog(facts: &Facts, btfn: bool) -> String {
    let extensions = facts.extensions;
    let Extensions { fpu, atomics, .. } = extensions;
    let mut text = String::from(
        "// module Decoder\n\
         // One line of a casez for each instruction of the table; what is said of one comes from as few bits as tell it from the others.\n\
         reg listed;\nreg [31:0] immediate;\n",
    );
    if fpu {
        text += "reg [4:0] operation;\n";
    }
    text.push('\n');
    text += &casez(rows(extensions), "listed", "1'b0", |_| Some("1'b1".into()));

    text += "always @* begin\n  case (instr[6:2])\n";
    for major in 0..32 {
        if let Some(bits) = immediate(facts.immediate_format(major)) {
            _ = writeln!(text, "    5'b{major:05b}: immediate = {bits};");
        }
    }
    text += "    default: immediate = {{20{instr[31]}}, instr[31:20]};\n  endcase\nend\n\n";

    let parts = " |\n              ";
    for (name, cover) in facts.iter() {
        let declaration = if PORTS.contains(&name) { "assign" } else { "wire" };
        _ = writeln!(text, "{declaration} {name} = {};", cover.verilog(parts));
    }
    text.push('\n');
    for (port, covers) in facts.controls() {
        for (bit, cover) in covers.iter().enumerate() {
            _ = writeln!(text, "assign {port}[{bit}] = {};", cover.verilog(parts));
        }
    }
    text.push('\n');

    let mut assign = |port: &str, value: &str| _ = writeln!(text, "assign {port} = {value};");
    // Rounding modes 5 and 6 are reserved.
    let rounding = " && !(rounds && (instr[14:12] == 3'd5 || instr[14:12] == 3'd6))";
    assign("legal", &format!("listed{}", if fpu { rounding } else { "" }));
    let [sp, mem, sfu] = [Collector::Sp, Collector::Mem, Collector::Sfu].map(|collector| collector as usize);
    assign(
        "decoded_collector",
        &format!("legal && for_sp ? 2'd{sp} : legal && for_mem ? 2'd{mem} : 2'd{sfu}"),
    );
    let numbers = ["instr[11:7]", "instr[19:15]", "instr[24:20]"];
    for (k, ([names, even_0, is_float], number)) in NAMED.into_iter().zip(numbers).enumerate() {
        let place = format!("decoded_registers_number[{}:{}]", 6 * k + 5, 6 * k);
        assign(&place, &format!("{{{is_float}, {number}}}"));
        let atomic = if k == 0 && atomics { " || atomic" } else { "" };
        let means = format!("({number} != 5'd0 || {even_0}{atomic})");
        assign(&format!("decoded_registers_used[{k}]"), &format!("legal && {names} && {means}"));
    }
    assign("imm", "immediate");
    assign("funct3", "instr[14:12]");
    assign("div", "legal && divides");
    assign("decoded_memory", "legal && accesses");
    assign(
        "decoded_blocks_issue",
        if fpu { "!legal || blocks || decoded_drains" } else { "!legal || blocks" },
    );
    let stops = "!legal || wctl || fence_i";
    if btfn {
        assign("stops_fetch", &format!("{stops} || for_sp && jump && jalr"));
        assign("predicts_taken", "legal && for_sp && (jump && !jalr || branch && instr[31])");
    } else {
        assign("stops_fetch", stops);
    }
    if fpu {
        assign("fpu", "legal && floats");
        assign("fpu_op", &format!("legal ? operation : 5'd{}", FpuOp::Add as usize));
        assign("decoded_dynamic_rounding", "rounds && instr[14:12] == 3'd7");
    }
    match (fpu, atomics) {
        (false, false) => {}
        (true, false) => {
            assign("decoded_registers_used[3]", "legal && reads_rs3");
            assign("decoded_registers_number[23:18]", "{1'b1, instr[31:27]}");
        }
        // The third source of AMOCAS is its destination.
        (_, true) => {
            assign("decoded_registers_used[3]", "legal && reads_rs3 && !(atomic && instr[11:7] == 5'd0)");
            assign("decoded_registers_number[23:18]", "{!atomic, atomic ? instr[11:7] : instr[31:27]}");
        }
    }
    if fpu {
        let float_csrs = CSRS.iter().filter(|row| csr::needs_fpu(row.first));
        let float_csrs: Vec<_> =
            float_csrs.map(|row| format!("instr[31:20] == 12'h{:03x}", row.first)).collect();
        assign("decoded_drains", &format!("legal && csr && ({})", float_csrs.join(" || ")));
        let operation = |row: &Instr| fpu_op(row.op).map(|op| format!("5'd{}", op as usize));
        text.push('\n');
        text += &casez(rows(extensions), "operation", &format!("5'd{}", FpuOp::Add as usize), operation);
    }
    text
}

/// Facts that are ports of the same name.
const PORTS: [&str; 16] = [
    "operand_b_imm",
    "operand_b_inverted",
    "auipc",
    "branch",
    "jump",
    "jalr",
    "multiplies",
    "crosses",
    "store",
    "fence",
    "atomic",
    "fence_i",
    "csr",
    "csr_imm",
    "wctl",
    "barrier",
];
