//! The reference model's SIMT instructions, warp by warp and lane by lane.

use crate::model_common::{core, heap, machine, run, NONE, STORE_BY_HART};
use spec::config::CoreConfig;

#[test]
fn tmc_takes_the_last_active_lane_and_ends_the_warp() {
    // Lane 3 asks for lanes 0 and 1, lane 0 for others; bits beyond the lanes are dropped.
    let source = "
        li x5, -1
        vx_tmc x5
        csrr x5, vx_thread_id
        addi x5, x5, -3             # lanes: -3 -2 -1 0
        ori x5, x5, 3               # lanes: -1 -1 -1 3
        vx_tmc x5
        csrr x7, vx_active_threads";
    let machine = run(&core(2, 4), &(source.to_string() + STORE_BY_HART));
    assert_eq!(heap(&machine), [3, 3, NONE, NONE]);
    assert!(machine.finished() && machine.active_warps() == 0);
}

/// What the lanes of one warp of four or eight get from a vote or shuffle of `100 + lane` in x5 and what each asks for in x6.
fn exchanged<const N: usize>(mask: u32, x6: &str, instruction: &str) -> [u32; N] {
    let source = format!(
        "li x5, -1
         vx_tmc x5
         csrr x5, vx_thread_id
         {x6}
         addi x5, x5, 100
         mv x7, x0
         li x8, {mask}
         vx_tmc x8
         {instruction}
         li x8, -1
         vx_tmc x8"
    );
    heap(&run(&CoreConfig { cross_lane: true, ..core(1, N) }, &(source + STORE_BY_HART)))
}

#[test]
fn votes_are_of_the_active_lanes() {
    // The values of lanes 0 to 3 are even, odd, even, odd.
    for (mask, instruction, vote) in [
        (15, "vx_vote_all", 0),
        (15, "vx_vote_any", 1),
        (15, "vx_vote_uni", 0),
        (15, "vx_vote_ballot", 10),
        (10, "vx_vote_all", 1),
        (5, "vx_vote_any", 0),
        (5, "vx_vote_uni", 1),
        (10, "vx_vote_uni", 1),
        (6, "vx_vote_ballot", 2),
    ] {
        let expected = [0, 1, 2, 3].map(|lane| if mask >> lane & 1 != 0 { vote } else { 0 });
        assert_eq!(exchanged(mask, "", &format!("{instruction} x7, x5")), expected, "{mask} {instruction}");
    }
}

/// By the table of PTX's `shfl.sync`: `distance | last << 6 | common << 12`.
#[test]
fn shuffles_stay_within_segments_and_active_lanes() {
    let asks =
        |distance: u32, last: u32, common: u32| format!("li x6, {}", distance | last << 6 | common << 12);
    for (mask, x6, instruction, from) in [
        (255, asks(2, 0, 0), "up", [0, 1, 0, 1, 2, 3, 4, 5]),
        (255, asks(1, 7, 6), "up", [0, 0, 2, 2, 4, 4, 6, 6]),
        (255, asks(3, 7, 0), "down", [3, 4, 5, 6, 7, 5, 6, 7]),
        (255, asks(1, 7, 4), "down", [1, 2, 3, 3, 5, 6, 7, 7]),
        // Only lanes up to 5 are asked.
        (255, asks(1, 5, 0), "down", [1, 2, 3, 4, 5, 5, 6, 7]),
        (255, asks(7, 7, 0), "bfly", [7, 6, 5, 4, 3, 2, 1, 0]),
        // A segment's lanes may ask those of a segment before.
        (255, asks(2, 7, 6), "bfly", [0, 1, 0, 1, 4, 5, 4, 5]),
        (255, asks(3, 7, 0), "idx", [3; 8]),
        (255, asks(3, 7, 6), "idx", [1, 1, 3, 3, 5, 5, 7, 7]),
        (255, asks(6, 3, 0), "idx", [0, 1, 2, 3, 4, 5, 6, 7]),
        // Lanes 1 and 4 are not active: whoever asks them gets 0.
        (0xed, asks(1, 7, 0), "down", [8, 8, 3, 8, 8, 6, 7, 7]),
        // Each lane asks for itself; what stands above the lanes' numbers does not count.
        (255, "slli x6, x5, 1\nori x6, x6, 0x1d8".into(), "idx", [0, 2, 4, 6, 0, 2, 4, 6]),
    ] {
        let values = exchanged(mask, &x6, &format!("vx_shfl_{instruction} x7, x5, x6"));
        assert_eq!(
            values,
            from.map(|lane| if lane == 8 { 0 } else { 100 + lane }),
            "{mask} {x6} {instruction}"
        );
    }
    assert_eq!(exchanged(1, "li x6, 0x41", "vx_shfl_idx x7, x5, x6"), [100]);
}

#[test]
fn a_branch_goes_where_the_last_active_lane_goes() {
    let source = "
        li x5, -1
        vx_tmc x5
        csrr x5, vx_thread_id
        li x6, 3
        li x7, 1
        beq x5, x6, 1f
        li x7, 2
    1:  li x6, 7
        vx_tmc x6
        addi x7, x7, 10
        beq x5, x0, 1f              # lane 2 decides now, not lane 0
        addi x7, x7, 100
    1:";
    assert_eq!(heap(&run(&core(1, 4), &(source.to_string() + STORE_BY_HART))), [111, 111, 111, NONE]);
    // An indirect jump too: each lane has its own target.
    let source = "
        li x5, -1
        vx_tmc x5
        la x6, 1f
        csrr x5, vx_thread_id
        slli x5, x5, 3
        add x6, x6, x5
        jr x6
    1:  li x7, 50
        j 2f
        li x7, 51
    2:";
    assert_eq!(heap(&run(&core(1, 2), &(source.to_string() + STORE_BY_HART))), [51, 51]);
}

#[test]
fn inactive_lanes_keep_their_registers() {
    let source = "
        li x5, -1
        vx_tmc x5
        li x7, 1
        li x5, 0xa
        vx_tmc x5
        li x7, 2
        mul x7, x7, x7
        li x5, -1
        vx_tmc x5";
    assert_eq!(heap(&run(&core(1, 4), &(source.to_string() + STORE_BY_HART))), [1, 4, 1, 4]);
}

/// Splits on `x8` of each lane; every lane then appends its path to x7 in decimal.
fn split_join(threads: usize, condition: &str, split: &str) -> model::Machine {
    let source = format!(
        "
        li x5, -1
        vx_tmc x5
        csrr x5, vx_thread_id
        {condition}
        {split} x9, x8
        csrr x10, vx_active_threads     # the mask of this side
        vx_join x9
        csrr x7, vx_active_threads
        slli x7, x7, 8
        or x7, x7, x10
        slli x9, x9, 16
        or x7, x7, x9
        {STORE_BY_HART}"
    );
    run(&core(1, threads), &source)
}

#[test]
fn split_separates_and_join_restores() {
    // x8 = lane 0 or not: sides 0b0001 (met) and 0b1110.
    assert_eq!(heap(&split_join(4, "seqz x8, x5", "vx_split")), [0xf01, 0xf0e, 0xf0e, 0xf0e]);
    // Negated: the same sides.
    assert_eq!(heap(&split_join(4, "seqz x8, x5", "vx_split_n")), [0xf01, 0xf0e, 0xf0e, 0xf0e]);
    // Uniform either way: nothing happens. Only bit 0 counts.
    for condition in ["li x8, 1", "li x8, 0", "li x8, 6", "li x8, -1"] {
        assert_eq!(heap(&split_join(4, condition, "vx_split")), [0xf0f; 4], "{condition}");
    }
    // A single lane cannot diverge.
    assert_eq!(heap(&split_join(1, "li x8, 1", "vx_split")), [0x101]);
}

/// The masks with which the instruction after the SPLIT runs, in order.
fn order_of_sides(condition: &str, split: &str) -> Vec<u32> {
    let source = format!(
        "li x5, -1\n vx_tmc x5\n csrr x5, vx_thread_id\n {condition}\n {split} x9, x8\n nop\n vx_join x9\n vx_tmc x0"
    );
    let mut machine = machine(&core(1, 4), &source);
    let retired = std::iter::from_fn(|| (!machine.finished()).then(|| machine.step(0).unwrap()));
    retired.filter(|retire| retire.raw == 0x13).map(|retire| retire.tmask).collect()
}

#[test]
fn the_larger_side_goes_first() {
    assert_eq!(order_of_sides("seqz x8, x5", "vx_split"), [0b1110, 0b0001]);
    assert_eq!(order_of_sides("snez x8, x5", "vx_split"), [0b1110, 0b0001]);
    assert_eq!(order_of_sides("snez x8, x5", "vx_split_n"), [0b1110, 0b0001]);
    // Of equal sides the one that meets the condition.
    assert_eq!(order_of_sides("mv x8, x5", "vx_split"), [0b1010, 0b0101]);
    assert_eq!(order_of_sides("mv x8, x5", "vx_split_n"), [0b0101, 0b1010]);
    assert_eq!(order_of_sides("li x8, 0", "vx_split"), [0b1111]);
}

#[test]
fn nested_divergence() {
    // A binary tree over 8 lanes: each lane collects its path, bit by bit, then all come together.
    let source = "
        li x5, -1
        vx_tmc x5
        csrr x5, vx_thread_id
        srli x6, x5, 2
        vx_split x20, x6
        andi x8, x6, 1
        beqz x8, 1f
        addi x7, x7, 100
    1:  srli x6, x5, 1
        vx_split x21, x6
        andi x8, x6, 1
        beqz x8, 1f
        addi x7, x7, 10
    1:  vx_split x22, x5
        andi x8, x5, 1
        beqz x8, 1f
        addi x7, x7, 1
    1:  vx_join x22
        vx_join x21
        vx_join x20
        csrr x10, vx_active_threads
        slli x10, x10, 12
        or x7, x7, x10
        slli x21, x21, 20
        or x7, x7, x21
        slli x22, x22, 24
        or x7, x7, x22";
    let paths = [0, 1, 10, 11, 100, 101, 110, 111].map(|path| path | 0xff << 12 | 1 << 20 | 2 << 24);
    let machine = run(&core(1, 8), &(source.to_string() + STORE_BY_HART));
    assert_eq!(heap(&machine), paths);
    assert_eq!(machine.warp(0).divergence_depth(), 0);
}

#[test]
fn pred_loops_until_the_last_lane_is_done() {
    // Lane i adds i, i times; the loop keeps the lanes that are not done.
    let source = "
        li x5, -1
        vx_tmc x5
        csrr x5, vx_thread_id
        mv x8, x5
        csrr x11, vx_active_threads
        snez x9, x8
        vx_pred x9, x11
        beqz x9, 2f
    1:  add x7, x7, x5
        addi x8, x8, -1
        snez x9, x8
        vx_pred x9, x11
        bnez x9, 1b
    2:  csrr x10, vx_active_threads
        slli x10, x10, 8
        or x7, x7, x10";
    let machine = run(&core(1, 4), &(source.to_string() + STORE_BY_HART));
    assert_eq!(heap(&machine), [0, 1, 4, 9].map(|square| square | 0xf00));
}

#[test]
fn pred_negates_and_may_end_the_warp() {
    let source = "
        li x5, -1
        vx_tmc x5
        csrr x5, vx_thread_id
        vx_pred_n x5, x0            # even lanes stay
        csrr x7, vx_active_threads
        vx_pred x5, x7              # none is odd: the mask of x7
        csrr x7, vx_active_threads";
    assert_eq!(heap(&run(&core(1, 4), &(source.to_string() + STORE_BY_HART))), [5, NONE, 5, NONE]);
    let machine = run(&core(1, 4), "vx_pred x0, x0\n nop");
    assert_eq!(machine.warp_instructions(), 1);
}
