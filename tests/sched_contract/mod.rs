//! What every registered warp scheduler must show: hardware and reference model choose the same warp in every cycle,
//! whatever happens around them; the choice obeys the contract of docs/SCHEDULERS.md, section 8; no policy is another by mistake.
mod baws;
mod directed;
mod hardware;
mod inputs;
mod ipaws;
mod kaws;
mod motrr;
mod world;

use std::collections::BTreeSet;

use crate::rtl_bench::assert_parts_of;
use crate::sample::some;
use crate::tool_cache::lint;
use ::model::sched::{self as model, Inputs, SchedulerModel};
use ::rtl::sched::{self as rtl, CtaTracker};
use cosim::verilator::Toolchain;
use hardware::Hardware;
use hdl::verilog::emit;
use inputs::inputs;
use rust_hdl::prelude::Block;
use spec::config::{warps_below, CoreConfig, WarpMask, MAX_WARPS};
use spec::registry::{self, PolicyInfo, Stage, POLICIES};
use world::World;

fn config(policy: &PolicyInfo, stage: Stage, warps: usize, slices: usize) -> CoreConfig {
    let mut cfg = CoreConfig { warps, slices, ..CoreConfig::default() };
    match stage {
        Stage::Fetch => cfg.fetch = policy.key.into(),
        Stage::Issue => cfg.issue = policy.key.into(),
    }
    if is_unified(policy) {
        cfg.fetch = policy.key.into();
    }
    cfg
}

fn is_unified(policy: &PolicyInfo) -> bool {
    policy.inside.is_some()
}

/// The unified scheduler over each policy: it stands at the issue stage, and fetch does as it says.
fn unified() -> impl Iterator<Item = (&'static PolicyInfo, Stage)> {
    registry::unified().map(|policy| (policy, Stage::Issue))
}

/// Every policy at every stage where it may be used.
fn everywhere() -> impl Iterator<Item = (&'static PolicyInfo, Stage)> {
    POLICIES.iter().flat_map(|policy| policy.stages.iter().map(move |stage| (policy, *stage)))
}

fn reference(policy: &PolicyInfo, cfg: &CoreConfig, stage: Stage) -> Box<dyn SchedulerModel> {
    model::build(policy.key, cfg, stage)
}

/// A cycle in which nothing happens.
fn quiet(view: &Inputs) -> Inputs {
    let mut view = *view;
    inputs(&mut view).iter_mut().filter(|input| input.event).for_each(|input| input.tie(0));
    view
}

/// The warps that the policy may grant.
fn eligible(policy: &PolicyInfo, view: &Inputs) -> WarpMask {
    match (is_unified(policy), view.core.icache_req_ready) {
        (true, true) => view.stage.ready_warps & !view.core.held_warps,
        (true, false) => 0,
        (false, _) => view.stage.ready_warps,
    }
}

/// Runs `cycles` random cycles; returns how many had a grant, and how many kernels began.
fn check(policy: &PolicyInfo, stage: Stage, warps: usize, seed: u64, cycles: u32) -> (u32, u32) {
    let slices = if stage == Stage::Issue && !is_unified(policy) {
        [1, 2, 4][seed as usize % 3].min(warps)
    } else {
        1
    };
    // A CTA slot for each warp, or for three.
    let few = !seed.is_multiple_of(2);
    let cta_slots = if few { warps.div_ceil(3) } else { 0 };
    // Any warp slot may be of any CTA here, as with dispatch by warps.
    let shape = CoreConfig { cta_slots, warp_dispatch: few, ..config(policy, stage, warps, slices) };
    // Counts of iPAWS for each CTA, where that is the policy.
    let cfg = CoreConfig { ipaws_block_counts: few && policy.key == "ipaws", ..shape };
    let mut hardware = Hardware::new(&cfg, stage);
    let mut reference = reference(policy, &cfg, stage);
    let mut world = World::new(&cfg, stage, seed);
    let mut grants = 0;
    for cycle in 0..cycles {
        let context =
            format!("{} {stage:?} {warps} warps {slices} slices seed {seed} cycle {cycle}", policy.key);
        let mut view = world.cycle();
        hardware.drive(&view);
        let granted = hardware.grant();
        let chosen = reference.pick(view.view());
        assert!(
            granted == chosen,
            "{context}: the hardware grants {granted:?}, the model {chosen:?}: {view:x?}"
        );
        let eligible = eligible(policy, &view);
        assert!(granted.is_none_or(|wid| eligible >> wid & 1 != 0), "{context}: not ready");
        assert!(policy.strict || eligible == 0 || granted.is_some(), "{context}: nobody granted");
        if !policy.moves_every_cycle && cycle % 8 == 0 {
            let nothing = quiet(&view);
            hardware.drive(&nothing);
            hardware.clock();
            reference.clock(nothing.view(), granted);
            assert_eq!(hardware.grant(), granted, "{context}: the hardware moves without an event");
            assert_eq!(
                reference.pick(nothing.view()),
                granted,
                "{context}: the model moves without an event"
            );
        }
        world.events(&mut view, granted);
        hardware.drive(&view);
        assert_eq!(hardware.grant(), granted, "{context}: the grant hangs on the events of its own cycle");
        hardware.clock();
        reference.clock(view.view(), granted);
        grants += u32::from(granted.is_some());
    }
    (grants, world.kernels)
}

#[test]
fn hardware_and_model_choose_the_same_warp() {
    for (place, (policy, stage)) in everywhere().chain(unified()).enumerate() {
        let sizes = [1, 31, 2, 16, 3, 32, 4, 8, 6, 7].into_iter().enumerate().collect();
        let mut kernels = 0;
        for (seed, warps) in some(sizes, 4, place) {
            // Large ones are simulated for long, and do more in a cycle.
            let cycles = if warps > 8 { 250 } else { 500 };
            let (grants, began) = check(policy, stage, warps, seed as u64, cycles);
            assert!(grants > 20, "{} {warps}: only {grants} grants", policy.key);
            kernels += began;
        }
        assert!(kernels > 10, "{} {stage:?}: only {kernels} kernels", policy.key);
    }
}

/// What is a mask or a number of warps is wide enough.
#[test]
fn hardware_and_model_choose_the_same_of_more_than_32_warps() {
    for (place, (policy, stage)) in everywhere().chain(unified()).enumerate() {
        let warps = [MAX_WARPS, 48, 33][place % 3];
        let (grants, _) = check(policy, stage, warps, place as u64, 250);
        assert!(grants > 20, "{} {warps}: only {grants} grants", policy.key);
    }
}

/// `kernel_start` puts a policy into the state that it has after reset, whatever has been.
#[test]
fn a_kernel_begins_as_reset_does() {
    for (policy, stage) in everywhere().chain(unified()) {
        let cfg = config(policy, stage, 4, 1);
        for seed in 0..3 {
            let mut used = Hardware::new(&cfg, stage);
            let mut world = World::new(&cfg, stage, seed);
            for _ in 0..50 + seed {
                let mut view = world.cycle();
                used.drive(&view);
                world.events(&mut view, used.grant());
                used.drive(&view);
                used.clock();
            }
            let mut fresh = Hardware::new(&cfg, stage);
            let mut begins = Inputs::default();
            begins.core.kernel_start = true;
            for hardware in [&mut used, &mut fresh] {
                hardware.drive(&begins);
                hardware.clock();
            }
            let mut view = Inputs::default();
            (view.core.active_warps, view.stage.own_warps) = (0xf, 0xf);
            view.core.icache_req_ready = true;
            (0..4).for_each(|wid| view.core.older[wid] = warps_below(wid));
            for (ready_warps, memory_warps) in (0..16).flat_map(|ready| [(ready, 0), (ready, 0b1010)]) {
                (view.stage.ready_warps, view.stage.data_ready_warps) = (ready_warps, ready_warps);
                view.stage.memory_warps = memory_warps;
                used.drive(&view);
                fresh.drive(&view);
                let context = format!("{} at {stage:?}, {ready_warps:04b}, seed {seed}", policy.key);
                assert_eq!(used.grant(), fresh.grant(), "{context}");
            }
        }
    }
}

/// Worlds that make every policy show itself: both paths of greedy policies, ages that slots do not follow, full queues.
const TELLING_CYCLES: u32 = 6000;

/// What the registry says of a policy is what it does, shown on the model, which chooses as the hardware does.
#[test]
fn the_registry_says_how_a_policy_chooses() {
    for (policy, stage) in everywhere().chain(unified()) {
        let cfg = config(policy, stage, 6, 1);
        let mut reference = reference(policy, &cfg, stage);
        let mut world = World::new(&cfg, stage, 9);
        let (mut withholds, mut moves, mut leaves) = (false, false, false);
        let mut last_fired = None;
        for _ in 0..TELLING_CYCLES {
            let mut view = world.cycle();
            let before = reference.pick(view.view());
            reference.clock(quiet(&view).view(), before);
            let granted = reference.pick(view.view());
            moves |= granted != before;
            let eligible = eligible(policy, &view);
            withholds |= eligible != 0 && granted.is_none();
            leaves |= last_fired.is_some_and(|last| eligible >> last & 1 != 0 && granted != Some(last));
            world.events(&mut view, granted);
            reference.clock(view.view(), granted);
            last_fired = match (view.core.kernel_start, view.stage.fire) {
                (true, _) => None,
                (false, true) => granted,
                (false, false) => last_fired,
            };
        }
        for (fact, said, shown) in [
            ("strict", policy.strict, withholds),
            ("moves_every_cycle", policy.moves_every_cycle, moves),
            ("greedy", policy.greedy, !leaves),
        ] {
            let key = policy.key;
            assert_eq!(said, shown, "{fact} of {key} at {stage:?}, as the registry has it and as it is");
        }
    }
}

/// For each policy one stimulus on which it differs from all the others.
#[test]
fn no_policy_is_another() {
    for (policy, stage) in everywhere().chain(unified()) {
        let cfg = config(policy, stage, 6, 1);
        let mut hardware = Hardware::new(&cfg, stage);
        let mut world = World::new(&cfg, stage, 77);
        let mut others: Vec<_> = everywhere()
            .chain(unified())
            .filter(|(other, at)| *at == stage && other.key != policy.key)
            .map(|(other, _)| (other.key, reference(other, &config(other, stage, 6, 1), stage)))
            .collect();
        for _ in 0..TELLING_CYCLES {
            if others.is_empty() {
                break;
            }
            let mut view = world.cycle();
            hardware.drive(&view);
            let granted = hardware.grant();
            // As long as it chooses the same, another policy has seen the same; once it does not, it is told apart.
            others.retain(|(_, other)| other.pick(view.view()) == granted);
            world.events(&mut view, granted);
            hardware.drive(&view);
            hardware.clock();
            others.iter_mut().for_each(|(_, other)| other.clock(view.view(), granted));
        }
        let alike: Vec<_> = others.iter().map(|(key, _)| *key).collect();
        assert!(alike.is_empty(), "{} at {stage:?} is like {alike:?}", policy.key);
    }
}

/// What the unified scheduler adds to the inputs of the policy inside.
const OF_UNIFIED: [&str; 2] = ["core.held_warps", "core.icache_req_ready"];

/// The Verilog of a block's own module.
fn text_of(mut block: impl Block) -> String {
    let design = emit(&mut block, "scheduler", &[]).expect("a module");
    let module = design.modules.into_iter().find(|module| module.name == design.top);
    module.expect("the top module").text
}

/// The registry names the inputs that a policy's module reads, by the text of its Verilog.
#[test]
fn the_registry_names_the_inputs_of_a_policy() {
    for (policy, stage) in everywhere() {
        let cfg = config(policy, stage, 4, 1);
        let module = text_of(rtl::build(&cfg, stage));
        let (ports, body) = module.split_once(");").expect("a port list");
        // What its tables of CTAs are made from, it reads too.
        let tables = if cfg.has_table(None) { text_of(CtaTracker::new(&cfg)) } else { String::new() };
        let has = |text: &str, name: &str| {
            text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
        };
        let declared = ports.rsplit("module ").next().expect("the ports");
        // What nothing reads is listed, so that lint needs no waiver.
        let statements: Vec<_> = [body, tables.split_once(");").map_or("", |(_, body)| body)]
            .into_iter()
            .flat_map(|body| body.split(';'))
            .filter(|statement| !statement.contains("wire unused"))
            .collect();
        let body = statements.concat();
        let names: Vec<_> = inputs(&mut Inputs::default()).into_iter().map(|input| input.name).collect();
        let port = |name: &str| name.replace('.', "_");
        names.iter().for_each(|name| assert!(has(declared, &port(name)), "there is no port for {name}"));
        let read: BTreeSet<_> =
            names.iter().map(String::as_str).filter(|name| has(&body, &port(name))).collect();
        let said: BTreeSet<_> = policy.inputs.iter().copied().collect();
        assert_eq!(said, read, "the inputs of {}, as the registry has them and as they are", policy.key);
    }
}

/// What can be tied off of the inputs of a policy; the unified scheduler passes on all, of which that inside reads some.
fn inputs_of(policy: &PolicyInfo) -> impl Iterator<Item = &'static str> {
    let own: &[&str] = if is_unified(policy) { &OF_UNIFIED } else { &[] };
    own.iter().chain(policy.inputs).copied()
}

/// Whether hardware with an input tied off is told from the model.
fn is_noticed(policy: &PolicyInfo, stage: Stage, tied_off: &str, bits: WarpMask) -> bool {
    // In two slices, where not all warps are the scheduler's own; or in one, where it has more of them.
    let slices: &[usize] = if stage == Stage::Issue && !is_unified(policy) { &[2, 1] } else { &[1] };
    // What matters once a kernel alone, and then seldom, may take several worlds.
    (5..15)
        .any(|seed| slices.iter().any(|slices| is_noticed_in(*slices, seed, policy, stage, tied_off, bits)))
}

fn is_noticed_in(
    slices: usize,
    seed: u64,
    policy: &PolicyInfo,
    stage: Stage,
    tied_off: &str,
    bits: WarpMask,
) -> bool {
    let cfg = config(policy, stage, 4, slices);
    let mut hardware = Hardware::new(&cfg, stage);
    let mut reference = reference(policy, &cfg, stage);
    let mut world = World::new(&cfg, stage, seed);
    let tied = |view: &Inputs| {
        let mut view = *view;
        inputs(&mut view).iter_mut().filter(|input| input.name == tied_off).for_each(|input| input.tie(bits));
        view
    };
    (0..TELLING_CYCLES).any(|_| {
        let mut view = world.cycle();
        hardware.drive(&tied(&view));
        let granted = reference.pick(view.view());
        let grant = hardware.0.grant.oh.val().to_u64();
        world.events(&mut view, granted);
        hardware.drive(&tied(&view));
        hardware.clock();
        reference.clock(view.view(), granted);
        grant != granted.map_or(0, |wid| 1 << wid)
    })
}

/// The random worlds need every input that a policy has: a wire forgotten somewhere would not pass.
#[test]
fn an_input_tied_off_is_noticed() {
    for (place, (policy, stage)) in everywhere().chain(unified()).enumerate() {
        let tied: Vec<_> = inputs_of(policy).flat_map(|input| [(input, 0), (input, 0xf)]).collect();
        let part = tied.len().div_ceil(16);
        for (input, bits) in some(tied, part, place) {
            // A scheduler at fetch, or of both stages, owns all warps.
            let owns_all = stage == Stage::Fetch || is_unified(policy);
            let as_it_is = input == "stage.own_warps" && bits == 0xf && owns_all;
            assert!(
                as_it_is || is_noticed(policy, stage, input, bits),
                "{} at {stage:?} does not need {input}, or not as other than {bits}",
                policy.key
            );
        }
    }
}

#[test]
fn the_verilog_of_every_policy_is_free_of_lint() {
    let tools = Toolchain::discover().expect("Verilator");
    for (policy, stage) in everywhere().chain(unified()) {
        for warps in [1, 6, MAX_WARPS] {
            let mut socket = rtl::build(&config(policy, stage, warps, 1), stage);
            let design =
                emit(&mut socket, "scheduler", &[]).unwrap_or_else(|e| panic!("{}: {e:#?}", policy.key));
            lint(&tools, &design.concat(), "scheduler").unwrap_or_else(|e| panic!("{}: {e}", policy.key));
        }
    }
}

/// What has parts of its own is tested with them: as the model, which is written otherwise, chooses.
#[test]
fn policies_are_made_of_these_parts() {
    for (key, stage, parts) in [
        ("ipaws", Stage::Issue, &["IssueCounts", "IssuePattern"][..]),
        ("mwf-gto", Stage::Issue, &["GreedyInCta", "MostWaitingCta", "LastOfCta"]),
        ("mwf-lrr", Stage::Issue, &["TurnsInCta"]),
        ("cff", Stage::Fetch, &["CriticalWarps", "MostWaitingCta"]),
        ("motrr-recency", Stage::Issue, &["RecencyRegister", "YoungestWarp"]),
    ] {
        let policy = registry::find(key).unwrap();
        assert_parts_of(rtl::build(&config(policy, stage, 4, 1), stage), parts);
    }
    let by_block = CoreConfig {
        ipaws_block_counts: true,
        ..config(registry::find("ipaws").unwrap(), Stage::Issue, 4, 1)
    };
    assert_parts_of(rtl::build(&by_block, Stage::Issue), &["BlockCounts", "IssueCounts", "CtaMembers"]);
    for (key, parts) in
        [("mwf-gto", &["CtaMembers", "WarpPriorityTable"]), ("kaws", &["CtaMembers", "CtaProgress"])]
    {
        let cfg = config(registry::find(key).unwrap(), Stage::Issue, 4, 1);
        assert_parts_of(CtaTracker::new(&cfg), parts);
    }
}
