//! The form of the Verilog: what a kernel says in steps, with defaults and in loops, reads as drawn.
use cosim::verilator::{lint, Toolchain};
use hdl::cell::{signal, signals, Reg};
use hdl::comment;
use hdl::verilog::emit;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
struct Drawn {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    load: Signal<In, Bit>,
    x: Vec<Signal<In, Bits<32>>>,
    y: Vec<Signal<Out, Bits<32>>>,
    sum: Signal<Out, Bits<32>>,
    last: Signal<Out, Bits<32>>,
    first: Reg<Bits<32>>,
    second: Reg<Bits<32>>,
    never: Reg<Bits<32>>,
}

impl Drawn {
    fn new() -> Self {
        let register = || Reg::<Bits<32>>::width(8);
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            load: Signal::default(),
            x: signals(4, 8),
            y: signals(4, 8),
            sum: signal(8),
            last: signal(8),
            first: register(),
            second: register(),
            never: register(),
        }
    }
}

impl Logic for Drawn {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.clock.next = self.clock.val();
        self.second.clock.next = self.clock.val();
        self.never.clock.next = self.clock.val();
        self.never.d.next = self.never.q.val();
        comment!("1. take");
        self.first.d.next = self.first.q.val();
        if self.load.val() {
            self.first.d.next = self.x[0].val();
        }
        comment!("2. collect");
        self.sum.next = 0.into();
        if self.load.val() {
            self.sum.next = self.sum.val() | self.first.q.val() | self.never.q.val();
        }
        comment!("3. copy");
        self.second.d.next = self.first.q.val();
        self.last.next = self.second.q.val();
        for i in 0..4 {
            self.y[i].next = 0.into();
        }
        for i in 0..4 {
            if self.load.val() {
                self.y[i].next = self.x[i].val();
            }
        }
    }
}

/// Registers change in the step that says so, a constant is known where it is read, arrays are copied as a whole, and what
/// nothing changes is no register.
#[test]
fn steps_constants_and_arrays_read_as_drawn() {
    let text = emit(&mut Drawn::new(), "drawn", &[]).unwrap().concat();
    for said in ["first <= x[7:0];\n", "    sum = 8'd0;\n", "      sum = first;\n", "      y = x;\n"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("never"), "{text}");
    let at = |said: &str| text.find(said).unwrap_or_else(|| panic!("{said}: {text}"));
    assert!(at("// 1. take") < at("first <= x") && at("first <= x") < at("// 2. collect"), "{text}");
    assert!(at("// 3. copy") < at("second <= first"), "{text}");
    let tools = Toolchain::discover().expect("Verilator");
    lint(&tools, &text, "drawn").unwrap_or_else(|e| panic!("{e}\n{text}"));
}
