//! Which CSR numbers exist, generated from the CSR table.
use crate::prelude::*;
use isa::csr::{lookup_in, CSRS};

/// Recognises the numbers of [`CSRS`].
///
/// Ports: `active`, `number` -> `known`. Latency: combinational. Reset: none. Invariants: none.
/// Critical path: comparison of 12 bits, OR over the table. Source: docs/ISA.md, section 4. Mirror in the model:
/// `isa::csr::lookup`, from the same table.
#[derive(LogicBlock)]
pub struct CsrNumbers {
    /// A number is asked for; else none is known.
    pub active: Signal<In, Bit>,
    /// CSR number.
    pub number: Signal<In, Bits<12>>,
    /// There is such a CSR.
    pub known: Signal<Out, Bit>,
    _cfg: CoreConfig,
}

impl CsrNumbers {
    /// The numbers of a core of this configuration.
    pub fn new(cfg: &CoreConfig) -> Self {
        Self {
            active: Signal::default(),
            number: Signal::default(),
            known: Signal::default(),
            _cfg: cfg.clone(),
        }
    }
}

impl Part for CsrNumbers {}

impl Logic for CsrNumbers {
    fn update(&mut self) {
        self.known.next =
            self.active.val() && lookup_in(&self._cfg, self.number.val().index() as u16).is_some();
    }
    fn connect(&mut self) {
        self.known.connect();
    }
    fn hdl(&self) -> Verilog {
        let rows = || CSRS.iter().filter(|csr| lookup_in(&self._cfg, csr.first).is_some());
        let rows: Vec<String> = rows()
            .map(|csr| match (csr.first, csr.last) {
                (first, last) if first == last => format!("number == 12'h{first:03x}"),
                (first, last) => format!("number >= 12'h{first:03x} && number <= 12'h{last:03x}"),
            })
            .zip(rows())
            .map(|(condition, csr)| format!("({condition}) /* {} */", csr.name))
            .collect();
        Verilog::Custom(format!(
            "// module CsrNumbers\n// Recognises the CSR numbers of the table.\nreg listed;\n\n\
             always @(*) begin\n  listed = 1'b0;\n  if (active) listed =\n      {};\nend\n\nassign known = listed;\n",
            rows.join(" |\n      ")
        ))
    }
}
