//! Pseudo-instructions that stand for one other instruction.

/// Name, number of operands, what it stands for; `$0` is its first operand.
const ALIASES: &[(&str, usize, &str)] = &[
    ("nop", 0, "addi zero,zero,0"),
    ("mv", 2, "addi $0,$1,0"),
    ("not", 2, "xori $0,$1,-1"),
    ("neg", 2, "sub $0,zero,$1"),
    ("seqz", 2, "sltiu $0,$1,1"),
    ("snez", 2, "sltu $0,zero,$1"),
    ("sltz", 2, "slt $0,$1,zero"),
    ("sgtz", 2, "slt $0,zero,$1"),
    ("beqz", 2, "beq $0,zero,$1"),
    ("bnez", 2, "bne $0,zero,$1"),
    ("bltz", 2, "blt $0,zero,$1"),
    ("bgez", 2, "bge $0,zero,$1"),
    ("blez", 2, "bge zero,$0,$1"),
    ("bgtz", 2, "blt zero,$0,$1"),
    ("bgt", 3, "blt $1,$0,$2"),
    ("ble", 3, "bge $1,$0,$2"),
    ("bgtu", 3, "bltu $1,$0,$2"),
    ("bleu", 3, "bgeu $1,$0,$2"),
    ("j", 1, "jal zero,$0"),
    ("jal", 1, "jal ra,$0"),
    ("call", 1, "jal ra,$0"),
    ("tail", 1, "jal zero,$0"),
    ("jr", 1, "jalr zero,0($0)"),
    ("jalr", 1, "jalr ra,0($0)"),
    ("jalr", 3, "jalr $0,$2($1)"),
    ("ret", 0, "jalr zero,0(ra)"),
    ("fence", 0, "fence iorw,iorw"),
    ("fmv.s", 2, "fsgnj.s $0,$1,$1"),
    ("fneg.s", 2, "fsgnjn.s $0,$1,$1"),
    ("fabs.s", 2, "fsgnjx.s $0,$1,$1"),
    ("fgt.s", 3, "flt.s $0,$2,$1"),
    ("fge.s", 3, "fle.s $0,$2,$1"),
    ("fmv.x.s", 2, "fmv.x.w $0,$1"),
    ("fmv.s.x", 2, "fmv.w.x $0,$1"),
    ("frcsr", 1, "csrrs $0,fcsr,zero"),
    ("fscsr", 1, "csrrw zero,fcsr,$0"),
    ("fscsr", 2, "csrrw $0,fcsr,$1"),
    ("frrm", 1, "csrrs $0,frm,zero"),
    ("fsrm", 1, "csrrw zero,frm,$0"),
    ("fsrm", 2, "csrrw $0,frm,$1"),
    ("fsrmi", 1, "csrrwi zero,frm,$0"),
    ("frflags", 1, "csrrs $0,fflags,zero"),
    ("fsflags", 1, "csrrw zero,fflags,$0"),
    ("fsflags", 2, "csrrw $0,fflags,$1"),
    ("fsflagsi", 1, "csrrwi zero,fflags,$0"),
    ("csrr", 2, "csrrs $0,$1,zero"),
    ("csrw", 2, "csrrw zero,$0,$1"),
    ("csrs", 2, "csrrs zero,$0,$1"),
    ("csrc", 2, "csrrc zero,$0,$1"),
    ("csrwi", 2, "csrrwi zero,$0,$1"),
    ("csrsi", 2, "csrrsi zero,$0,$1"),
    ("csrci", 2, "csrrci zero,$0,$1"),
];

/// The statement that `mnemonic` with these operands stands for, if it is a pseudo-instruction.
pub(super) fn expand(mnemonic: &str, operands: &[&str]) -> Option<String> {
    let alias = ALIASES.iter().find(|(name, count, _)| *name == mnemonic && *count == operands.len())?;
    let mut pieces = alias.2.split('$');
    let mut statement = pieces.next()?.to_string();
    for piece in pieces {
        // Each piece begins with the operand's index.
        statement += operands[usize::from(piece.as_bytes()[0] - b'0')];
        statement += &piece[1..];
    }
    Some(statement)
}
