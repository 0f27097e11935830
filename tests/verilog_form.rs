//! The form of the Verilog: what a kernel says in steps, with defaults and in loops, reads as drawn.
use cosim::verilator::{lint, Toolchain};
use hdl::cell::{signal, signals, Reg};
use hdl::comment;
use hdl::verilog::emit;
use rust_hdl::prelude::*;
use spec::config::{BusKind, CoreConfig};
use spec::registry::SWAS_DEFAULT;

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
    assert!(at("// 3. copy") < at("last <= first"), "{text}");
    let tools = Toolchain::discover().expect("Verilator");
    lint(&tools, &text, "drawn").unwrap_or_else(|e| panic!("{e}\n{text}"));
}

/// Registers that outputs show, and parts that all get the same.
#[derive(LogicBlock)]
struct Shown {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    number: Signal<In, Bits<2>>,
    x: Vec<Signal<In, Bits<32>>>,
    y: Vec<Signal<Out, Bits<32>>>,
    last: Signal<Out, Bits<32>>,
    again: Signal<Out, Bits<32>>,
    held: Vec<Reg<Bits<32>>>,
    latest: Reg<Bits<32>>,
    rows: Vec<Vec<Signal<Local, Bits<32>>>>,
    sum: Signal<Out, Bits<32>>,
}

impl Shown {
    fn new() -> Self {
        let register = || Reg::<Bits<32>>::width(8);
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            number: Signal::default(),
            x: signals(4, 8),
            y: signals(4, 8),
            last: signal(8),
            again: signal(8),
            held: (0..4).map(|_| register()).collect(),
            latest: register(),
            rows: (0..2).map(|_| signals(4, 8)).collect(),
            sum: signal(8),
        }
    }
}

impl Logic for Shown {
    #[hdl_gen]
    fn update(&mut self) {
        self.latest.clock.next = self.clock.val();
        self.latest.d.next = self.x[0].val();
        self.last.next = self.latest.q.val();
        self.again.next = self.latest.q.val();
        for i in 0..4 {
            self.held[i].clock.next = self.clock.val();
            self.held[i].d.next = self.held[i].q.val();
            self.y[i].next = self.held[i].q.val();
        }
        for i in 0..4 {
            if self.number.val() == i.to_bits::<2>() {
                self.held[i].d.next = self.x[0].val();
            }
        }
        for r in 0..2 {
            for i in 0..4 {
                self.rows[r][i].next = self.x[i].val();
            }
        }
        self.sum.next = 0.into();
        for i in 0..4 {
            self.sum.next = self.sum.val() | self.rows[0][i].val() | self.rows[1][i].val();
        }
    }
}

/// The output that shows a register is the register, with its attribute; another is a wire to it. Rows of an array are copied
/// as slices.
#[test]
fn outputs_are_registers_and_rows_slices() {
    let text = emit(&mut Shown::new(), "shown", &[]).unwrap().concat();
    let said = [
        "  output reg  [7:0]  last,\n",
        "  (* nowrshmsk *)",
        "  output reg  [31:0] y,\n",
        "    last <= x[7:0];\n",
        "assign again = last;\n",
        "assign rows[r*32 +: 32] = x;\n",
        "    y[number*8 +: 8] <= x[7:0];\n",
    ];
    for said in said {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("latest") && !text.contains("held"), "{text}");
    let tools = Toolchain::discover().expect("Verilator");
    lint(&tools, &text, "shown").unwrap_or_else(|e| panic!("{e}\n{text}"));
}

/// What a configuration leaves of loops and conditions: pairs of statements that come to one.
#[derive(LogicBlock)]
struct Pairs {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    load: Signal<In, Bit>,
    x: Signal<In, Bits<8>>,
    kept: Reg<Bits<8>>,
    count: Reg<Bits<8>>,
    sum: Signal<Out, Bits<8>>,
    choice: Signal<Out, Bits<8>>,
    last: Signal<Out, Bits<8>>,
    latest: Signal<Out, Bits<8>>,
}

impl Default for Pairs {
    fn default() -> Self {
        let register = || Reg::<Bits<8>>::width(8);
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            load: Signal::default(),
            x: Signal::default(),
            kept: register(),
            count: register(),
            sum: Signal::default(),
            choice: Signal::default(),
            last: Signal::default(),
            latest: Signal::default(),
        }
    }
}

impl Logic for Pairs {
    #[hdl_gen]
    fn update(&mut self) {
        self.kept.clock.next = self.clock.val();
        self.count.clock.next = self.clock.val();
        self.kept.d.next = self.kept.q.val();
        self.count.d.next = self.count.q.val();
        self.sum.next = self.x.val();
        self.choice.next = self.sum.val();
        self.sum.next = self.sum.val() | self.kept.q.val();
        self.sum.next = self.sum.val() ^ self.count.q.val();
        if self.load.val() {
            self.choice.next = 1.into();
            self.kept.d.next = 7.into();
        } else {
            self.choice.next = 2.into();
        }
        if self.load.val() {
            self.kept.d.next = self.x.val();
        }
        if self.load.val() {
            self.count.d.next = self.x.val();
        }
        self.count.d.next = self.kept.q.val();
        self.last.next = self.kept.q.val();
        self.latest.next = self.count.q.val();
    }
}

/// An assignment that a later one overwrites unread is not printed, nor is a condition asked twice.
#[test]
fn each_assignment_counts() {
    let text = emit(&mut Pairs::default(), "pairs", &[]).unwrap().concat();
    let said = ["assign sum = (x | last) ^ latest;\n", "    latest <= last;\n", "      last <= x;\n"];
    for said in said {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(
        !text.contains("last <= 8'd7") && !text.contains("latest <= x") && !text.contains("choice = sum"),
        "{text}"
    );
    assert_eq!(text.matches("if (load)").count(), 2, "{text}");
    let tools = Toolchain::discover().expect("Verilator");
    lint(&tools, &text, "pairs").unwrap_or_else(|e| panic!("{e}\n{text}"));
}

/// Cores whose modules are walked: all units, buses and kinds of schedulers are in one of them.
fn cores() -> Vec<CoreConfig> {
    let preset = |name| CoreConfig::preset(name).expect("a preset");
    let swas = || SWAS_DEFAULT.to_owned();
    vec![
        preset("tiny"),
        preset("dual"),
        preset("pascal"),
        CoreConfig { fetch: swas(), issue: swas(), oracle: true, ..preset("tiny") },
        CoreConfig { issue: "kaws".into(), kaws_sharing: Some(true), ..preset("dual") },
        CoreConfig { issue: "motrr-recency".into(), ..preset("small") },
        CoreConfig { issue: "ipaws".into(), bus: BusKind::Axi4, register_banks: 4, ..preset("small") },
    ]
}

/// The number of a comment that heads a step.
fn step(line: &str) -> Option<usize> {
    line.trim().strip_prefix("// ")?.split_once(". ")?.0.parse().ok()
}

/// In every module numbered comments ascend, and each stands once.
#[test]
fn steps_are_in_order() {
    for cfg in cores() {
        for module in rtl::generate(&cfg, &[]).unwrap().modules {
            let steps: Vec<_> = module.text.lines().filter_map(step).collect();
            assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{}: {steps:?}", module.name);
        }
    }
}

/// The design's heading stands in one place, and in every file what is not declared is an error, for the file alone.
#[test]
fn files_have_heads() {
    let header = ["Made by hand".to_owned()];
    let design = rtl::generate(&cores()[0], &header).unwrap();
    for module in &design.modules {
        let headed = module.text.starts_with("// Made by hand\n`default_nettype none\n\n// ");
        let plain = module.text.starts_with("`default_nettype none\n\n// ");
        assert!(if module.name == design.top { headed } else { plain }, "{}", module.text);
        assert!(module.text.ends_with("endmodule\n\n`default_nettype wire\n"), "{}", module.text);
    }
}

/// Of modules of one kind the names tell the sizes, and the sizes are true; no module has a number alone.
#[test]
fn sizes_are_in_names() {
    let mut sized = 0;
    for cfg in cores() {
        for module in rtl::generate(&cfg, &[]).unwrap().modules {
            let end = module.name.rsplit_once('_').map_or("", |(_, end)| end);
            assert!(end.parse::<usize>().is_err(), "{}", module.name);
            let Some((_, told)) = module.text.split_once(" is the width of `") else { continue };
            let port = told.split('`').next().unwrap();
            let (_, width) = module.name.rsplit_once("_W").expect("a size");
            let is_port = |line: &&str| {
                line.split("//").next().unwrap().trim_end_matches([' ', ',']).ends_with(&format!(" {port}"))
            };
            let line = module.text.lines().find(is_port).unwrap_or_else(|| panic!("{}", module.text));
            let range = match width.parse::<usize>().expect("a width") {
                1 => String::new(),
                width => format!("[{}:0]", width - 1),
            };
            assert!(
                line.contains(&range) && (range.is_empty() != line.contains('[')),
                "{}: {line}",
                module.name
            );
            sized += 1;
        }
    }
    assert!(sized >= 4, "{sized} modules have sizes in their names");
}
