//! Formal proofs, by induction and so for runs of any length: the schedulers' promises, the age order, barriers, arbiters.
//!
//! The properties are the `.sv` files beside this one. Every proof is repeated with faults planted into the emitted Verilog,
//! and each of these must be refuted by a run from reset: a proof that cannot fail would show nothing.
mod alone;
mod tool;

use crate::sample;
use ::rtl::cell::{AgeMatrix, FewestOf};
use ::rtl::sched as rtl;
use ::rtl::sharing::{ClassOrder, WarpSharingControl};
use ::rtl::unit::barrier::BarrierUnit;
use hdl::cell::RoundRobinArbiter;
use hdl::verilog::{emit, Design};
use rust_hdl::prelude::Block;
use spec::config::{bits_for, CacheConfig, CoreConfig};
use spec::registry::{self, PolicyInfo, Stage, POLICIES};
use tool::{exists, Proof, Verdict};

fn design(mut block: impl Block, top: &str) -> Design {
    emit(&mut block, top, &[]).unwrap_or_else(|e| panic!("{top}: {e:#?}"))
}

fn assert_proved(proof: &Proof) {
    let verdict = proof.run();
    assert_eq!(verdict, Verdict::Proved, "{}", proof.name);
}

/// Each mutation, text and replacement, must break what is proved; a short run tries one.
fn assert_refuted(proof: &Proof, mutations: &[(&str, &str)]) {
    assert!(!mutations.is_empty());
    let mutations = sample::some(mutations.to_vec(), 1, 0);
    for (from, to) in mutations {
        let verdict = proof.run_mutated(from, to);
        assert!(matches!(verdict, Verdict::Refuted(_)), "{}: `{to}` for `{from}`: {verdict:?}", proof.name);
    }
}

/// The proof for a policy, or for the unified scheduler over one: if there are properties of its own, under its key, those;
/// else the contract of all.
fn of_policy(policy: &PolicyInfo, warps: usize) -> Proof {
    let unified = policy.inside.is_some();
    let stage = if unified { Stage::Issue } else { policy.stages[0] };
    let mut cfg = CoreConfig { warps, ..CoreConfig::default() };
    if stage == Stage::Issue {
        cfg.issue = policy.key.into();
    }
    if stage == Stage::Fetch || unified {
        cfg.fetch = policy.key.into();
    }
    let name = policy.key.replace([':', '-'], "_");
    let mut parameters = vec![("W", warps), ("WID_BITS", bits_for(warps))];
    let properties = if exists(&name) {
        name.clone()
    } else {
        parameters.extend([("QUEUE", cfg.queue_depth), ("COUNT_BITS", bits_for(cfg.queue_depth + 1))]);
        parameters.extend([("STRICT", policy.strict.into()), ("UNIFIED", unified.into())]);
        "scheduler".into()
    };
    let design = if cfg.has_table(None) {
        design(alone::Scheduler::new(&cfg, stage), "scheduler")
    } else {
        design(rtl::build(&cfg, stage), "scheduler")
    };
    Proof { name: format!("{name}-{warps}"), design, properties, parameters }
}

#[test]
fn every_policy_grants_at_most_one_ready_warp_and_one_if_it_can() {
    let numbered = POLICIES.iter().enumerate().collect();
    for (number, policy) in sample::some(numbered, POLICIES.len().div_ceil(6), 0) {
        for warps in sample::some(vec![1, 2, 3], 1, number).into_iter().chain([4]) {
            assert_proved(&of_policy(policy, warps));
        }
    }
}

/// SWaS: the same over the eligible warps, which the unified scheduler passes on to the policy inside.
#[test]
fn the_unified_scheduler_grants_eligible_warps_alone() {
    for policy in registry::unified() {
        [1, 2, 3].into_iter().for_each(|warps| assert_proved(&of_policy(policy, warps)));
        let proof = of_policy(policy, 3);
        assert_refuted(
            &proof,
            &[
                ("ready_warps & ~core_held_warps;", "ready_warps;"),
                ("if (core_icache_req_ready)", "if (1'b1)"),
            ],
        );
        proof.faults().iter().for_each(|(from, to)| assert_refuted(&proof, &[(from, to)]));
    }
}

/// SWaS (docs/SCHEDULERS.md, section 3, rule 7), over the front end as it is in the core.
#[test]
fn queues_under_the_unified_scheduler_are_always_full() {
    let key = "swas:lrr".to_owned();
    let icache = CacheConfig { bytes: 64, ways: 1 };
    let small = CoreConfig { warps: 2, threads: 1, icache, ..CoreConfig::default() };
    let cfg = CoreConfig { fetch: key.clone(), issue: key, ..small };
    let proof = Proof {
        name: "swas-queues".into(),
        design: ::rtl::generate(&cfg, &[]).expect("a core"),
        properties: "swas_queues".into(),
        parameters: vec![("COUNT_BITS", bits_for(cfg.queue_depth + 1))],
    };
    assert_proved(&proof);
    assert_refuted(
        &proof,
        &[
            // a suspended warp is selected; a warp is, though the cache takes no request
            ("ready_warps & ~core_held_warps;", "ready_warps;"),
            (
                "if (core_icache_req_ready) begin\n      eligible_warps",
                "if (1'b1) begin\n      eligible_warps",
            ),
            // a miss leaves no NOP, nor does what is requested behind it; a flush empties the queue
            ("stage_2_valid <= stage_1_valid &", "stage_2_valid <= (stage_1_valid & any_hit) &"),
            ("stage_2_valid <= stage_1_valid &", "stage_2_valid <= there_1 &"),
            ("FLUSHED_COUNT = 3'd4", "FLUSHED_COUNT = 3'd0"),
        ],
    );
}

/// Faults in the policies' own text, and one that every policy can have: a bit of an input is inverted. Those that the
/// proof of a single policy must find are named in the file of its properties.
#[test]
fn a_fault_in_a_policy_is_found() {
    for policy in sample::some(POLICIES.iter().collect(), POLICIES.len().div_ceil(6), 1) {
        let proof = of_policy(policy, 4);
        let text = proof.design.concat();
        let ports = text.find("module scheduler (").expect("the policy");
        let body = ports + text[ports..].find(");").expect("the end of its ports") + 2;
        let inverted = "\n  wire [3:0] seen_warps = stage_ready_warps ^ 4'd2;".to_owned()
            + &text[body..]
                .replace("stage_ready_warps", "seen_warps")
                .replace(".seen_warps", ".stage_ready_warps");
        assert_refuted(&proof, &[(&text[body..], &inverted)]);
        proof.faults().iter().for_each(|(from, to)| assert_refuted(&proof, &[(from, to)]));
    }
}

#[test]
fn the_age_order_is_total_for_ever() {
    let proof = |warps| Proof {
        name: format!("age-{warps}"),
        design: design(AgeMatrix::new(warps), "age_matrix"),
        properties: "age_matrix".into(),
        parameters: vec![("W", warps)],
    };
    [1, 2, 3, 4].into_iter().for_each(|warps| assert_proved(&proof(warps)));
    assert_refuted(
        &proof(4),
        &[
            ("& ~start_warps;", "& ~(start_warps & 4'd7);"),
            ("start_warps & BELOW", "start_warps & ~BELOW"),
            ("older <= 16'h7310", "older <= 16'h7311"),
        ],
    );
}

#[test]
fn a_barrier_releases_exactly_those_who_wait_at_it() {
    let proof = |warps| {
        let cfg = CoreConfig { warps, grid: false, ..CoreConfig::default() };
        let barriers = cfg.barriers().next_power_of_two();
        let sizes = [("BARRIERS", barriers), ("ID_BITS", bits_for(barriers))];
        Proof {
            name: format!("barrier-{warps}"),
            design: design(BarrierUnit::new(&cfg), "barrier"),
            properties: "barrier".into(),
            parameters: [vec![("W", warps), ("WID_BITS", cfg.wid_bits())], sizes.to_vec()].concat(),
        }
    };
    [4, 6].into_iter().for_each(|warps| assert_proved(&proof(warps)));
    assert_refuted(
        &proof(4),
        &[
            ("release_warps = here | arrive_warp_oh", "release_warps = waiting_warps | arrive_warp_oh"),
            ("ID_MASK = 5'd1", "ID_MASK = 5'd0"),
            ("(others + 6'd1) == needed", "others == needed"),
        ],
    );
}

#[test]
fn a_barrier_of_a_block_releases_exactly_those_who_wait_and_loses_nobody() {
    let proof = |warp_dispatch: bool| {
        let cfg = CoreConfig { warps: 4, warp_dispatch, ..CoreConfig::default() };
        let sizes =
            [("W", 4), ("WID_BITS", 2), ("BARRIERS", 2), ("ID_BITS", 1), ("PARTIAL", warp_dispatch.into())];
        Proof {
            name: format!("block-barrier-{warp_dispatch}"),
            design: design(BarrierUnit::new(&cfg), "barrier"),
            properties: "block_barrier".into(),
            parameters: sizes.to_vec(),
        }
    };
    // Of blocks that start as a whole and of those that start warp by warp a short run takes one.
    let whole = [
        ("release_warps | opened_warps", "release_warps"),
        ("here & whole_warps", "here"),
        ("here & peers", "here"),
        ("arrived[b*4 +: 4] & ~release_warps", "arrived[b*4 +: 4]"),
    ];
    let by_warps = [("complete = 1'b0", "complete = 1'b1"), ("there = 4'd0", "there = there")];
    for (warp_dispatch, faults) in sample::some(vec![(false, &whole[..]), (true, &by_warps)], 1, 0) {
        let proof = proof(warp_dispatch);
        assert_proved(&proof);
        assert_refuted(&proof, faults);
    }
}

/// Between two slices and between four; faults are looked for between four, each run for one of them.
#[test]
fn a_shared_warp_issues_once_through_a_slice_that_has_nothing_else() {
    let proof = |slices| {
        let cfg = CoreConfig { warps: 4, slices, issue: "kaws".into(), ..CoreConfig::default() };
        Proof {
            name: format!("sharing-{slices}"),
            design: design(WarpSharingControl::new(&cfg), "control"),
            properties: "sharing".into(),
            parameters: vec![("W", 4), ("S", slices), ("WID_BITS", 2)],
        }
    };
    [2, 4].into_iter().for_each(|slices| assert_proved(&proof(slices)));
    let faults = [
        ("(others == EVERY)", "1'b1"),
        ("& idle[x]", ""),
        ("& ~stalled;", ";"),
        ("(stalled | alone[11:8]) != EVERY", "1'b0"),
        // Only its own slice must hold.
        ("(stalled | alone[11:8]) != EVERY", "(stalled & owner[11:8]) == 4'd0"),
        ("& ~OWN_WARPS[x*4 +: 4]", ""),
    ];
    assert_refuted(&proof(4), &faults);
}

/// The same of what surrounds the choice: a head that leaves its queue enters one slice, of two or four, or of two with
/// operand collectors; each run tries one of these.
#[test]
fn a_head_of_shared_warps_leaves_its_queue_as_it_enters_one_slice() {
    let proof = |slices, register_banks| {
        let small =
            CoreConfig { threads: 1, fpu: false, grid: false, counters: false, ..CoreConfig::default() };
        let cfg = CoreConfig {
            slices,
            register_banks,
            kaws_sharing: Some(true),
            fetch: "fixed".into(),
            issue: "fixed".into(),
            ..small
        };
        Proof {
            name: format!("shared-issue-{slices}-{register_banks}"),
            design: ::rtl::generate(&cfg, &[]).expect("a core"),
            properties: "shared_issue".into(),
            parameters: vec![("S", slices)],
        }
    };
    for (slices, banks) in sample::some(vec![(2, 0), (4, 0), (2, 2)], 1, 0) {
        assert_proved(&proof(slices, banks));
    }
    assert_refuted(
        &proof(2, 0),
        &[
            // The queue keeps what has issued elsewhere; it issues while the operand stage holds; it comes home under a wrong number.
            ("issue_fire_warps = orders_visit_oh;", "issue_fire_warps = sched_fired_oh;"),
            ("& ~stalled;", ";"),
            ("scheduler_grant_wid | orders_visit_wid", "scheduler_grant_wid"),
            // Two issue through a slice; one issues at home too.
            ("& idle[x]", ""),
            ("(stalled | alone[5:4]) != EVERY", "1'b0"),
        ],
    );
}

#[test]
fn instructions_of_a_class_stay_in_one_slice_at_a_time() {
    let cfg = CoreConfig { warps: 2, slices: 2, issue: "kaws".into(), ..CoreConfig::default() };
    let proof = Proof {
        name: "class-order".into(),
        design: design(ClassOrder::new(&cfg), "order"),
        properties: "class_order".into(),
        parameters: vec![("W", 2), ("S", 2), ("WID_BITS", 1)],
    };
    assert_proved(&proof);
    assert_refuted(&proof, &[("== 3'd1", "== 3'd2"), ("away_warps | visits_warps", "away_warps")]);
}

#[test]
fn the_fewest_of_some_are_some_of_them() {
    let proof = Proof {
        name: "fewest-4".into(),
        design: design(FewestOf::new(4, 4), "FewestOf"),
        properties: "fewest".into(),
        parameters: vec![("W", 4), ("BITS", 4)],
    };
    assert_proved(&proof);
    assert_refuted(&proof, &[("left = candidates", "left = 4'd15"), ("if (|level)", "if (1'b1)")]);
}

#[test]
fn a_round_robin_arbiter_is_fair() {
    let proof = |count| Proof {
        name: format!("arbiter-{count}"),
        design: design(RoundRobinArbiter::new(count), "arbiter"),
        properties: "arbiter".into(),
        parameters: vec![("W", count), ("WID_BITS", bits_for(count))],
    };
    [1, 2, 3, 4, 5].into_iter().for_each(|count| assert_proved(&proof(count)));
    assert_refuted(
        &proof(4),
        &[("last_oh <= grant_oh", "last_oh <= last_oh"), ("candidates = requests", "candidates = above")],
    );
}
