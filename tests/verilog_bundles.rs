//! Bundles through the back end and in rust-hdl's own simulation: joined, copied under a condition, held, absent.
use crate::rtl_bench::{library, Dut};
use hdl::bundle::{logic, Data, Either, Registered, Wires, Zero};
use hdl::cell::{constant, pipes, signal, signals, Const, Pipe, Reg};
use hdl::module::Opt;
use hdl::{bundle, comment, module};
use rust_hdl::prelude::*;

const SLICES: usize = 2;

bundle! {
    /// Where something comes from.
    struct Origin(lanes: usize) {
        forward {
            /// Its lane.
            lane: Bits<32> = lanes,
        }
    }
}

bundle! {
    /// A value on its way.
    struct Value(lanes: usize, tagged: bool) {
        let width = 8;
        forward {
            /// There is one.
            valid: reset Bit,
            /// Words of each lane.
            words: [Bits<16>; lanes] = width,
            /// A mark that only some have.
            tag: if (tagged) Bits<4>,
            /// Where it comes from.
            origin: bundle Origin(lanes),
            /// Where it has been, a number of lanes each time.
            stops: [bundle Origin(lanes); SLICES],
        }
        backward {
            /// It is taken.
            ready: Bit,
        }
    }
}

module! {
    /// Makes values as often as they are taken.
    struct Producer(lanes: usize, tagged: bool, first: u64) [clock, reset]
    {
        value: Value<Out> = Value::new(lanes, tagged),
        count: Reg<Bits<8>> = Reg::<Bits<8>>::with_reset(8, first),
        tagged: Const<Bit> = Const::new(tagged),
        _lanes: usize = lanes,
        _slices: usize = SLICES,
    }
}

impl Logic for Producer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Producer");
        self.value.valid.next = self.count.q.val().get_bit(0);
        self.value.origin.lane.next = 1.into();
        for s in 0..self._slices {
            self.value.stops[s].lane.next = s.to_bits::<32>() + 2;
        }
        for i in 0..self._lanes {
            self.value.words[i].next = bit_cast::<16, 8>(self.count.q.val());
        }
        if self.tagged.val() {
            self.value.tag.next = self.count.q.val().get_bits::<4>(0);
        }
        if self.value.ready.val() | !self.value.valid.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
    }
}

module! {
    /// Chooses among producers and holds what it chose.
    struct Chooser(lanes: usize, tagged: bool) [clock, reset]
    {
        values: Vec<Value<In>> = (0..SLICES).map(|_| Value::new(lanes, tagged)).collect(),
        choice: Signal<In, Bits<1>>,
        clear: Signal<In, Bit>,
        nothing: Value<Zero> = Value::new(lanes, tagged),
        chosen: Value<Local> = Value::new(lanes, tagged),
        held: Value<Registered> = Value::new(lanes, tagged),
        value: Value<Out> = Value::new(lanes, tagged),
        _slices: usize = SLICES,
    }
}

impl Logic for Chooser {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Chooser");
        Data::join(&mut self.values[0], &mut self.chosen);
        self.chosen.ready.next = self.value.ready.val() | !self.held.valid.q.val();
        for s in 0..self._slices {
            if self.choice.val() == s.to_bits::<1>() {
                Data::join(&mut self.values[s], &mut self.chosen);
            }
            self.values[s].ready.next = self.chosen.ready.val() & (self.choice.val() == s.to_bits::<1>());
        }
        if self.chosen.ready.val() {
            Data::join(&mut self.chosen, &mut self.held);
        }
        if self.clear.val() {
            Data::join(&mut self.nothing, &mut self.held);
        }
        Data::join(&mut self.held, &mut self.value);
    }
}

module! {
    struct Whole(lanes: usize, tagged: bool) [clock, reset]
    {
        choice: Signal<In, Bits<1>>,
        take: Signal<In, Bit>,
        clear: Signal<In, Bit>,
        valid: Signal<Out, Bit>,
        word: Signal<Out, Bits<16>> = signal(8),
        tag: Opt<Signal<Out, Bits<4>>> = Opt::new(tagged, signal(4)),
        lane: Signal<Out, Bits<32>> = signal(lanes),
        stop: Signal<Out, Bits<32>> = signal(lanes),
        both: Signal<Out, Bits<16>> = signal(8),
        earlier: Vec<Signal<Out, Bits<16>>> = signals(lanes, 8),
        mixed: Vec<Signal<Local, Bits<16>>> = signals(lanes, 8),
        kept: Vec<Pipe<Bits<16>>> = pipes(lanes, 8),
        none: Vec<Signal<In, Bit>>,
        nobody: Vec<Signal<Local, Bit>>,
        producers: Vec<Producer> = (0..SLICES).map(|s| Producer::new(lanes, tagged, 16 * s as u64)).collect(),
        chooser: Chooser = Chooser::new(lanes, tagged),
        tagged: Const<Bit> = Const::new(tagged),
        last: Const<Bits<8>> = constant(8, 0),
        _slices: usize = SLICES,
    }
}

impl Logic for Whole {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Whole");
        for s in 0..self._slices {
            Wires::join(&mut self.producers[s].value, &mut self.chooser.values[s]);
        }
        self.chooser.choice.next = self.choice.val();
        self.chooser.clear.next = self.clear.val();
        self.chooser.value.ready.next = self.take.val();
        self.valid.next = self.chooser.value.valid.val();
        self.word.next = self.chooser.value.words[0].val();
        self.lane.next = self.chooser.value.origin.lane.val();
        // What is held before the first value, only one of the simulations knows.
        self.stop.next = 0.into();
        if self.chooser.value.valid.val() {
            self.stop.next = self.chooser.value.stops[1].lane.val();
        }
        if self.tagged.val() {
            self.tag.next = self.chooser.value.tag.val();
        }
        comment!("Arrays of signals and of registers; what is not there; and one added to another.");
        Wires::join(&mut self.none, &mut self.nobody);
        Wires::join(&mut self.producers[0].value.words, &mut self.mixed);
        if self.take.val() {
            Either::join(&mut self.producers[1].value.words, &mut self.mixed);
        }
        Data::join(&mut self.mixed, &mut self.kept);
        self.both.next = self.mixed[2].val();
        Data::join(&mut self.kept, &mut self.earlier);
    }
}

fn emitted(tagged: bool) -> String {
    let design = hdl::verilog::emit(&mut Whole::new(3, tagged), "whole", &[]);
    design.unwrap_or_else(|errors| panic!("{errors:#?}")).concat()
}

#[test]
fn a_bundle_is_connected_by_one_statement() {
    crate::golden::verbatim("tests/fixtures/bundles.v", &emitted(true));
}

#[test]
fn what_a_configuration_does_not_have_is_not_in_its_verilog() {
    let text = emitted(false);
    assert!(!text.contains("tag"), "{text}");
    assert!(text.contains("value_words"), "{text}");
}

/// What both simulations show, cycle by cycle.
#[test]
fn verilog_and_rust_hdl_agree_about_bundles() {
    let mut dut = Dut::new(&library(Whole::new(3, true), "whole"));
    let mut own = Whole::new(3, true);
    own.connect_all();
    let mut random = crate::rtl_bench::Random::new(7);
    let mut seen = std::collections::BTreeSet::new();
    for cycle in 0..200 {
        let (choice, take) = (random.below(2) as u64, random.below(2) as u64);
        let clear = u64::from(random.below(8) == 0);
        dut.set("choice", choice);
        dut.set("take", take);
        dut.set("clear", clear);
        dut.settle();
        own.choice.next = Bits::from(choice);
        own.take.next = take != 0;
        own.clear.next = clear != 0;
        settle(&mut own);
        let there = ["valid", "word", "tag", "stop", "both"].map(|port| dut.get(port));
        let words = [own.word.val().to_u64(), own.tag.val().to_u64(), own.stop.val().to_u64()];
        let here = [u64::from(own.valid.val()), words[0], words[1], words[2], own.both.val().to_u64()];
        // What a register without reset holds at first, nobody knows.
        let earlier = own.earlier.iter().rev().fold(0, |all, word| (all << 8) | word.val().to_u64());
        assert!(cycle == 0 || earlier == dut.get("earlier"), "cycle {cycle}");
        assert_eq!(here, there, "cycle {cycle}");
        seen.insert(here);
        dut.edge();
        for level in [true, false] {
            own.clock.next.clk = level;
            settle(&mut own);
        }
    }
    assert!(seen.len() > 50, "{} different values", seen.len());
}

fn settle(block: &mut impl Block) {
    for _ in 0..20 {
        block.update_all();
        if !block.has_changed() {
            return;
        }
    }
    panic!("no steady state");
}
