use super::*;
use spec::registry::POLICIES;

/// All warps active; a smaller slot is younger, so that age and slot order differ.
fn view(warps: usize, ready_warps: Mask) -> Inputs {
    let all = spec::config::warps_below(warps);
    let mut view = Inputs::default();
    view.core.active_warps = all;
    view.stage.own_warps = all;
    view.stage.ready_warps = ready_warps;
    (0..warps).for_each(|wid| view.core.older[wid] = all & !1 << wid);
    view
}

/// The warps chosen for a sequence of ready masks, each of which fires if its flag says so.
fn choices(key: &str, warps: usize, cycles: &[(Mask, bool)]) -> Vec<Option<usize>> {
    let cfg = CoreConfig { warps, ..CoreConfig::default() };
    let mut policy = build(key, &cfg, Stage::Issue);
    let step = |&(ready_warps, fire): &(Mask, bool)| {
        let mut view = view(warps, ready_warps);
        let granted = policy.pick(view.view());
        view.stage.fire = fire && granted.is_some();
        policy.clock(view.view(), granted);
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
    assert_eq!(choices("lrr", 32, &[(u32::MAX.into(), true); 33])[31..], [31, 0].map(Some));
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
fn srr_gives_each_active_warp_one_cycle() {
    let cycles =
        [(0b1111, true), (0b1101, true), (0b1111, false), (0b0111, true), (0b1111, true), (0b0001, true)];
    assert_eq!(choices("srr", 4, &cycles), [Some(0), None, Some(2), None, Some(0), None]);
}

#[test]
fn srr_passes_over_what_is_not_active_or_not_its_own() {
    let mut policy = build("srr", &CoreConfig::default(), Stage::Issue);
    let turns = [0b1111, 0b1011, 0b1011, 0b0001, 0b0000, 0b1111].map(|active_warps| {
        let mut view = view(4, active_warps);
        view.core.active_warps = active_warps;
        view.stage.own_warps = 0b0101;
        let granted = policy.pick(view.view());
        policy.clock(view.view(), granted);
        granted
    });
    assert_eq!(turns, [Some(0), Some(0), Some(0), Some(0), None, Some(2)]);
}

#[test]
fn lo_takes_the_oldest_always() {
    let cycles = [(0b1111, true), (0b1111, true), (0b0111, true), (0b0001, true), (0, true), (0b0011, false)];
    assert_eq!(choices("lo", 4, &cycles), [Some(3), Some(3), Some(2), Some(0), None, Some(1)]);
}

#[test]
fn gtlrr_stays_and_then_goes_round() {
    let cycles =
        [(0b1110, true), (0b1111, true), (0b1101, false), (0b1101, true), (0b1101, true), (0b0011, true)];
    assert_eq!(choices("gtlrr", 4, &cycles), [1, 1, 2, 2, 2, 0].map(Some));
    // Nobody is greedy at first, not even the last warp.
    assert_eq!(choices("gtlrr", 4, &[(0b1001, true)]), [Some(0)]);
}

#[test]
fn gtlo_stays_and_then_takes_the_oldest() {
    let cycles =
        [(0b0110, false), (0b0011, true), (0b1111, true), (0b1101, true), (0b0111, true), (0b1011, true)];
    assert_eq!(choices("gtlo", 4, &cycles), [2, 1, 1, 3, 2, 3].map(Some));
}

#[test]
fn icount_takes_the_fewest_and_of_these_the_oldest() {
    let policy = build("icount", &CoreConfig::default(), Stage::Fetch);
    let choice = |ready_warps, unissued: [u8; 4]| {
        let mut view = view(4, ready_warps);
        view.stage.unissued[..4].copy_from_slice(&unissued);
        policy.pick(view.view())
    };
    assert_eq!(choice(0b1111, [2, 1, 1, 4]), Some(2));
    assert_eq!(choice(0b1001, [4, 0, 0, 4]), Some(3));
    assert_eq!(choice(0b1011, [0, 3, 0, 1]), Some(0));
    assert_eq!(choice(0, [0; 4]), None);
}

#[test]
fn a_kernel_begins_as_reset_does() {
    for info in POLICIES {
        for &stage in info.stages {
            let cfg = CoreConfig::default();
            let mut used = build(info.key, &cfg, stage);
            for ready_warps in [0b0100, 0b1010, 0b0110] {
                let mut view = view(4, ready_warps);
                view.stage.fire = true;
                let granted = used.pick(view.view());
                used.clock(view.view(), granted);
            }
            let mut begins = Inputs::default();
            begins.core.kernel_start = true;
            used.clock(begins.view(), None);
            let fresh = build(info.key, &cfg, stage);
            for ready_warps in 0..16 {
                let view = view(4, ready_warps);
                assert_eq!(
                    used.pick(view.view()),
                    fresh.pick(view.view()),
                    "{} among {ready_warps:04b}",
                    info.key
                );
            }
        }
    }
}

#[test]
fn every_policy_grants_one_of_the_ready_and_repeats_itself_without_a_fire() {
    let cfg = CoreConfig::default();
    for info in POLICIES.iter().filter(|info| !info.strict && !info.moves_every_cycle) {
        for &stage in info.stages {
            let mut policy = build(info.key, &cfg, stage);
            let mut random = 0x2545_f491u32;
            for _ in 0..2000 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let ready_warps = Mask::from(random >> 24 & 15);
                let mut view = view(4, ready_warps);
                let granted = policy.pick(view.view());
                assert_eq!(granted.is_some(), ready_warps != 0, "{}", info.key);
                assert!(granted.is_none_or(|wid| ready_warps >> wid & 1 != 0), "{}", info.key);
                policy.clock(view.view(), granted);
                assert_eq!(
                    policy.pick(view.view()),
                    granted,
                    "{}: a grant alone changed the state",
                    info.key
                );
                view.stage.fire = random >> 30 == 0 && granted.is_some();
                policy.clock(view.view(), granted);
            }
        }
    }
}
