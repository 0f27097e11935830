//! What the back end must refuse, and what it must get right where rust-hdl's own printer does not.
use cosim::verilator::{lint, Toolchain};
use hdl::cell::{constant, regs, signal, signals, Const, Pipe, Reg};
use hdl::comment;
use hdl::verilog::emit;
use rust_hdl::prelude::*;

/// The errors of `block`, one a line.
fn refused<B: Block>(mut block: B) -> String {
    let errors = emit(&mut block, "trap", &[]).expect_err("this must be refused");
    errors.iter().map(|error| format!("{error}\n")).collect()
}

/// A block of these fields, with this kernel.
macro_rules! block {
    ($name:ident { $($field:ident: $type:ty = $value:expr),* $(,)? } $($item:tt)*) => {
        #[derive(LogicBlock)]
        struct $name { $($field: $type),* }
        impl $name {
            fn new() -> Self {
                Self { $($field: $value),* }
            }
        }
        impl Logic for $name { $($item)* }
    };
}

block!(PlainData {
    _limit: u64 = 3,
    y: Signal<Out, Bits<4>> = signal(4),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = self._limit.into();
});

#[test]
fn plain_rust_data_is_no_value() {
    assert!(refused(PlainData::new()).contains("`_limit` is not a signal"));
}

block!(Keyword {
    wait: Signal<In, Bit> = Signal::default(),
    y: Signal<Out, Bit> = Signal::default(),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = self.wait.val();
});

#[test]
fn keywords_are_no_names() {
    assert!(refused(Keyword::new()).contains("`wait` is a Verilog keyword"));
}

block!(Collected {
    x: Vec<Signal<In, Bit>> = vec![Signal::default(); 2],
    y: Signal<Out, Bit> = Signal::default(),
    held: Pipe<Bit> = Pipe::new(),
    _n: usize = 2,
}
#[hdl_gen]
fn update(&mut self) {
    self.held.d.next = false;
    for i in 0..self._n {
        self.held.d.next = self.held.d.val() | self.x[i].val();
    }
    self.y.next = self.held.q.val();
});

#[test]
fn what_is_collected_is_not_collected_in_an_input_of_a_part() {
    let errors = refused(Collected::new());
    assert!(errors.contains("`held.d`, an input of a part, is made of itself; use a Local"), "{errors}");
}

block!(Latch {
    enable: Signal<In, Bit> = Signal::default(),
    y: Signal<Out, Bit> = Signal::default(),
}
#[hdl_gen]
fn update(&mut self) {
    if self.enable.val() {
        self.y.next = true;
    }
});

#[test]
fn a_path_without_assignment_is_a_latch() {
    assert!(refused(Latch::new()).contains("`y` is not assigned on every path"));
}

block!(TooEarly {
    a: Signal<In, Bit> = Signal::default(),
    half: Signal<Local, Bit> = Signal::default(),
    y: Signal<Out, Bit> = Signal::default(),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = self.half.val();
    self.half.next = !self.a.val();
});

#[test]
fn nothing_is_read_before_it_is_assigned() {
    let errors = refused(TooEarly::new());
    assert!(errors.contains("`half` is read before it is assigned"), "{errors}");
}

block!(Forgotten {
    half: Vec<Signal<Local, Bit>> = vec![Signal::default()],
    y: Signal<Out, Bit> = Signal::default(),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = self.half[0].val();
});

#[test]
fn what_is_read_is_assigned_somewhere() {
    let errors = refused(Forgotten::new());
    assert!(errors.contains("`half` is never assigned"), "{errors}");
}

block!(WrittenInput {
    a: Signal<In, Bit> = Signal::default(),
    y: Signal<Out, Bit> = Signal::default(),
}
#[hdl_gen]
fn update(&mut self) {
    self.a.next = true;
    self.y.next = self.a.val();
});

#[test]
fn inputs_are_not_assigned() {
    let errors = refused(WrittenInput::new());
    assert!(errors.contains("`a` is driven elsewhere and may not be assigned here"), "{errors}");
}

block!(MixedWidths {
    a: Signal<In, Bits<8>> = signal(3),
    b: Signal<In, Bits<8>> = signal(4),
    y: Signal<Out, Bits<8>> = signal(4),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = self.a.val() + self.b.val();
});

#[test]
fn widths_are_not_mixed_silently() {
    assert!(refused(MixedWidths::new()).contains("operands of 3 and 4 bits are mixed"));
}

block!(LoopName {
    a: Signal<In, Bits<4>> = signal(4),
    y: Signal<Out, Bits<4>> = signal(4),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = 0.into();
    for a in 0..4 {
        self.y.next = self.y.val().replace_bit(a, self.a.val().get_bit(a));
    }
});

#[test]
fn a_loop_variable_is_not_called_like_a_signal() {
    assert!(refused(LoopName::new()).contains("loop variable `a` has the name of a signal"));
}

block!(Beyond {
    a: Signal<In, Bits<8>> = signal(2),
    y: Signal<Out, Bit> = Signal::default(),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = self.a.val().get_bit(2);
});

#[test]
fn no_bit_beyond_the_configured_width_is_read() {
    assert!(refused(Beyond::new()).contains("a bit beyond the 2 of the signal"));
}

block!(TooLarge {
    a: Signal<In, Bits<8>> = signal(2),
    y: Signal<Out, Bit> = Signal::default(),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = self.a.val() == 4;
});

#[test]
fn no_comparison_with_what_cannot_be() {
    assert!(refused(TooLarge::new()).contains("which 2 bits cannot hold"));
}

block!(NoReset {
    clock: Signal<In, Clock> = Signal::default(),
    y: Signal<Out, Bits<4>> = signal(4),
    count: Reg<Bits<4>> = Reg::<Bits<4>>::width(4),
}
#[hdl_gen]
fn update(&mut self) {
    dff_setup!(self, clock, count);
    self.count.d.next = self.count.q.val() + 1;
    self.y.next = self.count.q.val();
});

#[test]
fn a_register_with_reset_needs_a_reset() {
    assert!(refused(NoReset::new()).contains("register `count` needs a `reset"));
}

block!(WideConstant {
    y: Signal<Out, Bits<8>> = signal(2),
    three_bits: Const<Bits<8>> = constant(2, 4),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = self.three_bits.val();
});

#[test]
fn a_constant_fits_its_width() {
    assert!(refused(WideConstant::new()).contains("constant `three_bits` does not fit in 2 bits"));
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
#[allow(dead_code, reason = "only the kernel's text names the variants")]
enum Mode {
    Hold,
    Count,
    Clear,
}

block!(Example {
    clock: Signal<In, Clock> = Signal::default(),
    reset: Signal<In, Bit> = Signal::default(),
    mode: Signal<In, Mode> = Signal::default(),
    select: Signal<In, Bits<5>> = signal(2),
    requests: Signal<In, Bits<32>> = signal(4),
    data: Vec<Signal<In, Bits<32>>> = signals(4, 8),
    grant: Signal<Out, Bits<32>> = signal(4),
    chosen: Signal<Out, Bits<32>> = signal(8),
    odd: Signal<Out, Bits<32>> = signal(4),
    wraps: Signal<Out, Bit> = Signal::default(),
    last: Signal<Out, Bits<32>> = signal(8),
    counts: Vec<Reg<Bits<32>>> = regs(4, 8),
    previous: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(8),
    step: Const<Bits<32>> = constant(8, 1),
}
#[hdl_gen]
fn update(&mut self) {
    comment!("module Example: counts what it selects.");
    dff_setup!(self, clock, previous);
    comment!("1. The lowest request.");
    self.grant.next = self.requests.val() & ((!self.requests.val()) + 1);
    self.wraps.next = ((self.requests.val() + 1) == 0) & (self.select.val() == 3);
    comment!("2. What is selected.");
    self.chosen.next = self.data[0].val();
    self.odd.next = 0.into();
    for i in 0..4 {
        if self.select.val() == i.to_bits::<5>() {
            self.chosen.next = self.data[i].val();
        }
        self.odd.next = self.odd.val().replace_bit(i, self.data[i].val().get_bit(0));
    }
    self.previous.d.next = self.chosen.val();
    self.last.next = self.previous.q.val();
    comment!("3. How often.");
    for i in 0..4 {
        self.counts[i].clock.next = self.clock.val();
        self.counts[i].d.next = self.counts[i].q.val();
        if self.select.val() == i.to_bits::<5>() {
            match self.mode.val() {
                Mode::Count => self.counts[i].d.next = self.counts[i].q.val() + self.step.val(),
                Mode::Clear => self.counts[i].d.next = 0.into(),
                _ => self.counts[i].d.next = self.counts[i].q.val(),
            }
        }
    }
});

block!(Gate {
    off: Signal<In, Bit> = Signal::default(),
    none: Signal<In, Bits<8>> = signal(3),
    both: Signal<In, Bit> = Signal::default(),
    y: Signal<Out, Bits<8>> = signal(3),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = self.none.val();
    if self.off.val() & self.both.val() {
        self.y.next = 5.into();
    }
});

block!(Gates {
    a: Signal<In, Bits<8>> = signal(3),
    b: Signal<In, Bits<8>> = signal(3),
    y: Signal<Out, Bits<8>> = signal(3),
    gates: Vec<Gate> = (0..3).map(|_| Gate::new()).collect(),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = self.gates[0].y.val() | self.gates[1].y.val() | self.gates[2].y.val();
    for k in 0..3 {
        self.gates[k].off.next = false;
        self.gates[k].none.next = 0.into();
        self.gates[k].both.next = self.a.val().get_bit(k) & self.b.val().get_bit(k);
    }
});

/// Loops over instances become vector operations; each instance gets its own bits of the vector, no more.
#[test]
fn ports_of_arrayed_instances_have_their_own_width() {
    let text = emit(&mut Gates::new(), "trap", &[]).unwrap().concat();
    for connection in [".off  (1'b0)", ".none (3'd0)", ".both (gates_both[gi])"] {
        assert!(text.contains(connection), "no {connection} in\n{text}");
    }
    assert!(text.contains("assign gates_both = a & b;"), "{text}");
    let tools = Toolchain::discover().expect("Verilator");
    lint(&tools, &text, "trap").unwrap_or_else(|e| panic!("{e}\n{text}"));
}

block!(GateRows {
    a: Signal<In, Bits<8>> = signal(3),
    b: Signal<In, Bits<8>> = signal(3),
    y: Signal<Out, Bits<8>> = signal(3),
    picked: Vec<Signal<Local, Bits<8>>> = signals(3, 3),
    gates: Vec<Vec<Gate>> = (0..2).map(|_| (0..3).map(|_| Gate::new()).collect()).collect(),
}
#[hdl_gen]
fn update(&mut self) {
    for i in 0..2 {
        for k in 0..3 {
            self.gates[i][k].off.next = self.a.val().get_bit(k);
            self.gates[i][k].none.next = self.b.val();
            self.gates[i][k].both.next = self.b.val().get_bit(i);
        }
    }
    for k in 0..3 {
        for i in 0..2 {
            if (i.to_bits::<2>() == 0) | self.a.val().get_bit(k) {
                self.picked[k].next = self.gates[i][k].y.val();
            }
        }
    }
    self.y.next = self.picked[0].val() | self.picked[1].val() | self.picked[2].val();
});

/// Instances in rows: each loop has a variable of its own. What a loop's first round always does leaves no latch.
#[test]
fn rows_of_instances_have_two_loops() {
    let text = emit(&mut GateRows::new(), "trap", &[]).unwrap().concat();
    let tools = Toolchain::discover().expect("Verilator");
    lint(&tools, &text, "trap").unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert!(text.contains("(gates_y[(gi*3 + gk)*3 +: 3])"), "{text}");
}

block!(Reversed {
    enable: Signal<In, Bit> = Signal::default(),
    data: Signal<In, Bits<32>> = signal(8),
    odd: Signal<Out, Bits<32>> = signal(4),
    y: Signal<Out, Bits<32>> = signal(8),
}
#[hdl_gen]
fn update(&mut self) {
    self.odd.next = 0.into();
    self.y.next = self.data.val();
    for j in 0..4 {
        self.odd.next = self.odd.val().replace_bit(j, self.data.val().get_bit(j * 2));
    }
    if self.enable.val() {
        for i in 0..8 {
            self.y.next = self.y.val().replace_bit(i, self.data.val().get_bit(7 - i));
        }
    }
});

/// A loop variable that one path through a block leaves as it was would be a latch to yosys.
#[test]
fn every_path_through_a_block_without_clock_sets_its_loop_variables() {
    let text = emit(&mut Reversed::new(), "trap", &[]).unwrap().concat();
    assert!(text.contains("    integer i;\n    i = 0;\n"), "{text}");
    assert!(text.contains("    integer j;\n"), "{text}");
    assert!(!text.contains("    j = 0;\n"), "only for the loop in a condition: {text}");
    let tools = Toolchain::discover().expect("Verilator");
    lint(&tools, &text, "trap").unwrap_or_else(|e| panic!("{e}\n{text}"));
}

block!(Settles {
    data: Signal<In, Bits<32>> = signal(8),
    level: Signal<Local, Bits<32>> = signal(8),
    late: Signal<Local, Bits<32>> = signal(8),
    y: Signal<Out, Bits<32>> = signal(8),
}
#[hdl_gen]
fn update(&mut self) {
    self.y.next = self.data.val();
    self.level.next = 4.into();
    for i in 0..2 {
        self.level.next = self.level.val().replace_bit(i, false);
    }
    self.late.next = self.data.val();
    if self.level.val() == 3 {
        self.late.next = 1.into();
    }
    if self.data.val().any() {
        self.y.next = self.late.val() + self.level.val();
    }
});

/// What does not depend on a signal is computed in the block of another that does. Were that `y` here, its block would wait
/// for `late` and `late` for it: both would run again whenever the other one has.
#[test]
fn constants_make_no_circle_of_blocks() {
    let text = emit(&mut Settles::new(), "trap", &[]).unwrap().concat();
    let blocks: Vec<&str> = text.split("always @*").collect();
    let writes = |block: &&&str, name: &str| block.contains(&format!(" {name} = "));
    let of_y = blocks.iter().find(|block| writes(block, "y")).expect("a block of y");
    assert!(!writes(&of_y, "level"), "{text}");
}

#[test]
fn the_example_reads_as_if_written_by_hand() {
    let header = ["4 channels of 8 bits".to_owned()];
    let design = emit(&mut Example::new(), "example", &header).unwrap();
    crate::golden::verbatim("tests/fixtures/example.v", &design.concat());
}
