//! rust-hdl's interfaces through the back end: two that are joined are connected signal by signal, each in its direction.
use crate::rtl_bench::{library, Dut};
use hdl::cell::{signal, Reg};
use rust_hdl::prelude::*;

/// The producer's side.
#[derive(Clone, Debug, Default, LogicInterface)]
#[join = "Taker"]
struct Giver {
    valid: Signal<Out, Bit>,
    data: Signal<Out, Bits<8>>,
    ready: Signal<In, Bit>,
}

/// The consumer's side.
#[derive(Clone, Debug, Default, LogicInterface)]
#[join = "Giver"]
struct Taker {
    valid: Signal<In, Bit>,
    data: Signal<In, Bits<8>>,
    ready: Signal<Out, Bit>,
}

/// Counts what is taken.
#[derive(LogicBlock)]
struct Producer {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    to: Giver,
    count: Reg<Bits<8>>,
}

impl Logic for Producer {
    #[hdl_gen]
    fn update(&mut self) {
        self.count.clock.next = self.clock.val();
        self.count.d.next = self.count.q.val();
        self.to.valid.next = self.count.q.val() < 200;
        self.to.data.next = self.count.q.val();
        if self.to.ready.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
    }
}

/// Shows what comes and takes it when it is told to.
#[derive(LogicBlock)]
struct Consumer {
    from: Taker,
    take: Signal<In, Bit>,
    seen: Signal<Out, Bits<8>>,
    any: Signal<Out, Bit>,
}

impl Logic for Consumer {
    #[hdl_gen]
    fn update(&mut self) {
        self.from.ready.next = self.take.val();
        self.any.next = self.from.valid.val();
        self.seen.next = self.from.data.val();
    }
}

#[derive(LogicBlock)]
struct Joined {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    take: Signal<In, Bit>,
    seen: Signal<Out, Bits<8>>,
    any: Signal<Out, Bit>,
    producer: Producer,
    consumer: Consumer,
}

impl Logic for Joined {
    #[hdl_gen]
    fn update(&mut self) {
        self.producer.clock.next = self.clock.val();
        self.producer.reset.next = self.reset.val();
        self.consumer.take.next = self.take.val();
        Giver::join(&mut self.producer.to, &mut self.consumer.from);
        self.seen.next = self.consumer.seen.val();
        self.any.next = self.consumer.any.val();
    }
}

fn joined() -> Joined {
    let count = Reg::with_reset(8, 0);
    Joined {
        clock: Signal::default(),
        reset: Signal::default(),
        take: Signal::default(),
        seen: signal(8),
        any: Signal::default(),
        producer: Producer {
            clock: Signal::default(),
            reset: Signal::default(),
            to: Giver::default(),
            count,
        },
        consumer: Consumer {
            from: Taker::default(),
            take: Signal::default(),
            seen: signal(8),
            any: Signal::default(),
        },
    }
}

#[test]
fn joined_interfaces_are_connected_in_both_directions() {
    let mut dut = Dut::new(&library(joined(), "Joined"));
    let mut expected = 0;
    for cycle in 0..300 {
        let take = cycle % 3 != 0;
        dut.set("take", take.into());
        dut.settle();
        assert_eq!((dut.get("seen"), dut.get("any")), (expected, (expected < 200).into()), "cycle {cycle}");
        dut.edge();
        expected = (expected + u64::from(take)) % 256;
    }
}
