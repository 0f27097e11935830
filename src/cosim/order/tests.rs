use super::*;

const STORE: u32 = 0x0020_a023;
const LOAD: u32 = 0x0000_a183;

fn retire(wid: usize, pc: u32, op: Op) -> Retire {
    let store = op == Op::Sw;
    let access = MemoryAccess { store, funct3: 2, signed: false, addr: [0x100; 32], data: [7; 32] };
    let mut retire = Retire::blank();
    (retire.wid, retire.pc, retire.raw, retire.op) = (wid, pc, if store { STORE } else { LOAD }, op);
    (retire.tmask, retire.lanes, retire.rd) = (1, 1, (op == Op::Lw).then_some(3));
    match op {
        Op::Sw | Op::Lw => retire.with_access(access),
        _ => retire,
    }
}

fn accessed(retire: &Retire) -> Accessed {
    let access = *retire.access().unwrap();
    let Retire { wid, pc, tmask, .. } = *retire;
    let MemoryAccess { store, funct3, addr: addresses, data, .. } = access;
    Accessed { cycle: 0, wid, pc, store, tmask, funct3, addresses, data }
}

fn issue(order: &mut Order, retire: &Retire) -> Checked<bool> {
    order.issue(at(retire), retire)
}

/// The access acts, and is performed.
fn act(order: &mut Order, retire: &Retire) -> Checked<Option<Retire>> {
    let acts = order.act(&accessed(retire), 0)?.map(|acts| *acts);
    if acts.is_some() {
        order.performed(retire.wid);
    }
    Ok(acts)
}

#[test]
fn a_warps_accesses_act_in_program_order() {
    let mut order = Order::new(2);
    let (first, second) = (retire(0, 0, Op::Lw), retire(0, 4, Op::Sw));
    let other = retire(1, 8, Op::Sw);
    for retire in [&first, &second, &other] {
        assert_eq!(issue(&mut order, retire), Ok(false));
    }
    assert_eq!(act(&mut order, &other).unwrap().unwrap().pc, 8, "those of other warps in any order");
    assert!(act(&mut order, &second).unwrap_err().what.contains("load or store"));
}

#[test]
fn every_access_acts_once() {
    let mut order = Order::new(1);
    let load = retire(0, 0, Op::Lw);
    issue(&mut order, &load).unwrap();
    assert!(order.finish().unwrap_err().what.contains("load that never was performed"));
    assert!(act(&mut order, &load).unwrap().is_some());
    assert_eq!(act(&mut order, &load), Ok(None));
    assert_eq!(order.finish(), Ok(()));
    let mut nowhere = load;
    nowhere.rd = None;
    assert_eq!(issue(&mut order, &nowhere), Ok(true), "a load to x0 accesses nothing");
}

#[test]
fn what_is_ahead_of_a_barrier_goes_first() {
    for transitive in [false, true] {
        let mut order = Order::new(3);
        let (store, load) = (retire(0, 0, Op::Sw), retire(2, 4, Op::Lw));
        issue(&mut order, &store).unwrap();
        if transitive {
            order.release(0b11, 0b11);
            order.release(0b110, 0b110);
        } else {
            order.release(0b101, 0b101);
        }
        let later = retire(0, 8, Op::Sw);
        issue(&mut order, &later).unwrap();
        issue(&mut order, &load).unwrap();
        let early = act(&mut order, &load).unwrap_err();
        assert!(
            early.what.contains("barrier") && early.expected.contains("warp 0, pc 0x00000000"),
            "{early:?}"
        );

        issue(&mut order, &load).unwrap();
        order.ahead[2] = vec![Ahead { warps: 1, before: 1 }];
        act(&mut order, &store).unwrap();
        assert!(act(&mut order, &load).is_ok(), "what came behind the barrier may wait");
    }
}

#[test]
fn nothing_issues_behind_a_fence_whose_accesses_wait() {
    let mut order = Order::new(1);
    let (store, fence) = (retire(0, 0, Op::Sw), retire(0, 4, Op::Fence));
    issue(&mut order, &store).unwrap();
    assert_eq!(issue(&mut order, &fence), Ok(true));
    assert!(issue(&mut order, &store).unwrap_err().what.contains("fence"));
    let fence_i = retire(0, 8, Op::FenceI);
    assert_eq!(issue(&mut order, &fence_i), Ok(false), "acts behind the store");
    assert_eq!(order.fence_i(0), None);
    act(&mut order, &store).unwrap();
    assert_eq!(order.fence_i(0).map(|r| r.op), Some(Op::FenceI));
    assert_eq!(issue(&mut order, &fence_i), Ok(true));
}
