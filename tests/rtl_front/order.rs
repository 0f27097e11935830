//! What holds warp control back, against a queue that knows what is in it.
use super::bench::{drive, settle, tick, Clocked};
use cosim::Rng;
use rtl::stage::collector::AccessOrder;
use rust_hdl::prelude::*;
use std::collections::VecDeque;

impl Clocked for AccessOrder {
    fn clock(&mut self) -> &mut Signal<In, Clock> {
        &mut self.clock
    }
}

#[test]
fn warp_control_waits_for_the_accesses_ahead_of_it_and_for_no_others() {
    let mut order = AccessOrder::new();
    let mut rng = Rng::new(1);
    order.reset.next = true;
    tick(&mut order);
    order.reset.next = false;
    // Numbers of accesses that wait, and those that are ahead of what the special collector holds.
    let (mut queue, mut number, mut control) = (VecDeque::new(), 0, None::<u32>);
    let mut held_back = 0;
    for cycle in 0..5000 {
        settle(&mut order);
        let waits = control.is_some_and(|ahead| queue.front().is_some_and(|&first| first < ahead));
        assert_eq!(order.waits.val(), waits, "cycle {cycle}: {queue:?}, {control:?}");
        held_back += u32::from(waits);
        if !waits && rng.percent(50) {
            control = None;
        }
        let leaves = !queue.is_empty() && rng.percent(40);
        let access = queue.len() < 4 && rng.percent(50);
        let special = !access && control.is_none() && rng.percent(40);
        let funct3 = rng.below(6);
        order.mem_leaves.next = leaves;
        order.operand_access.next = access;
        order.operand_control.next = special;
        drive(&mut order.operand_funct3, funct3);
        tick(&mut order);
        if leaves {
            queue.pop_front();
        }
        if access {
            queue.push_back(number);
            number += 1;
        }
        // SPLIT and JOIN concern no other warp.
        if special && funct3 != 2 && funct3 != 3 {
            control = Some(number);
        }
    }
    assert!(held_back > 100, "{held_back}");
}
