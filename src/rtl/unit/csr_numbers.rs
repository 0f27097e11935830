//! Which CSR numbers exist, generated from the CSR table.
use crate::isa::csr::{lookup, needs_fpu, Csr, CSRS};
use rust_hdl::prelude::*;

/// Recognises the numbers of [`CSRS`].
///
/// Ports: `number` -> `known`. Latency: combinational. Reset: none. Invariants: none.
/// Critical path: comparison of 12 bits, OR over the table. Source: VORTEX_ABI 3.2. Mirror in the model:
/// `isa::csr::lookup`, from the same table.
#[derive(LogicBlock, Default)]
pub struct CsrNumbers {
    /// CSR number.
    pub number: Signal<In, Bits<12>>,
    /// There is such a CSR.
    pub known: Signal<Out, Bit>,
}

/// The rows that a core without a floating-point unit has.
fn rows() -> impl Iterator<Item = &'static Csr> {
    CSRS.iter().filter(|csr| !needs_fpu(csr.first))
}

impl Logic for CsrNumbers {
    fn update(&mut self) {
        self.known.next = lookup(self.number.val().index() as u16).is_some_and(|csr| !needs_fpu(csr.first));
    }
    fn connect(&mut self) {
        self.known.connect();
    }
    fn hdl(&self) -> Verilog {
        let rows: Vec<String> = rows()
            .map(|csr| match (csr.first, csr.last) {
                (first, last) if first == last => format!("number == 12'h{first:03x}"),
                (first, last) => format!("number >= 12'h{first:03x} && number <= 12'h{last:03x}"),
            })
            .zip(rows())
            .map(|(condition, csr)| format!("({condition}) /* {} */", csr.name))
            .collect();
        Verilog::Custom(format!(
            "// module CsrNumbers\n// Recognises the CSR numbers of the table.\nassign known =\n    {};\n",
            rows.join(" |\n    ")
        ))
    }
}
