use super::*;
use crate::registry::POLICIES;

/// The warps chosen for a sequence of ready masks, each of which fires if its flag says so.
fn choices(key: &str, warps: usize, cycles: &[(u32, bool)]) -> Vec<Option<usize>> {
    let cfg = CoreConfig { warps, ..CoreConfig::default() };
    let mut policy = build(key, &cfg, Stage::Issue).expect("a registered policy");
    let step = |&(ready_warps, fire): &(u32, bool)| {
        let mut view = View { ready_warps, ..View::default() };
        let granted = policy.pick(&view);
        view.fire = fire && granted.is_some();
        policy.clock(&view, granted);
        granted
    };
    cycles.iter().map(step).collect()
}

#[test]
fn fixed_takes_the_smallest_slot_always() {
    let cycles =
        [(0b1010, true), (0b1010, true), (0b1000, true), (0, true), (0b1111, false), (1 << 31, true)];
    assert_eq!(choices("fixed", 32, &cycles), [Some(1), Some(1), Some(3), None, Some(0), Some(31)]);
}

#[test]
fn lrr_goes_round_from_warp_0() {
    assert_eq!(choices("lrr", 4, &[(0b1111, true); 6]), [0, 1, 2, 3, 0, 1].map(Some));
    assert_eq!(choices("lrr", 32, &[(u32::MAX, true); 33])[31..], [31, 0].map(Some));
}

#[test]
fn lrr_skips_what_is_not_ready_and_wraps() {
    let cycles = [(0b1000, true), (0b1000, true), (0b0110, true), (0b0011, true), (0, true), (0b1101, true)];
    assert_eq!(choices("lrr", 4, &cycles), [Some(3), Some(3), Some(1), Some(0), None, Some(2)]);
}

#[test]
fn lrr_moves_on_a_fire_not_on_a_grant() {
    let cycles = [(0b1111, false), (0b1111, true), (0b1111, false), (0b1101, false), (0b1111, true)];
    assert_eq!(choices("lrr", 4, &cycles), [0, 0, 1, 2, 1].map(Some));
}

#[test]
fn every_policy_grants_one_of_the_ready_and_repeats_itself_without_a_fire() {
    let cfg = CoreConfig::default();
    for info in POLICIES {
        for &stage in info.stages {
            let mut policy = build(info.key, &cfg, stage).expect("a registered policy");
            let mut random = 0x2545_f491u32;
            for _ in 0..2000 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let ready_warps = random >> 24 & 15;
                let mut view = View { ready_warps, active_warps: 15, own_warps: 15, ..View::default() };
                let granted = policy.pick(&view);
                assert_eq!(granted.is_some(), ready_warps != 0, "{}", info.key);
                assert!(granted.is_none_or(|wid| ready_warps >> wid & 1 != 0), "{}", info.key);
                policy.clock(&view, granted);
                assert_eq!(policy.pick(&view), granted, "{}: a grant alone changed the state", info.key);
                view.fire = random >> 30 == 0 && granted.is_some();
                policy.clock(&view, granted);
            }
        }
    }
}
