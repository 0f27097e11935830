//! Arbiters, one-hot coders and the order matrix against naive models.
use super::bench::{drive, number, settle, tick};
use cosim::Rng;
use hdl::cell::{IndexOneHot, OneHotIndex, PriorityArbiter, RoundRobinArbiter};
use rtl::cell::AgeMatrix;

#[test]
fn one_hot_coders_are_inverse() {
    for count in [1, 2, 5, 8, 32] {
        let (mut encoder, mut decoder) = (OneHotIndex::new(count), IndexOneHot::new(count));
        for index in 0..count as u32 {
            drive(&mut encoder.mask_oh, 1 << index);
            settle(&mut encoder);
            assert_eq!(number(&encoder.index), index);
            drive(&mut decoder.index, index);
            for valid in [false, true] {
                decoder.valid.next = valid;
                settle(&mut decoder);
                assert_eq!(number(&decoder.mask_oh), u32::from(valid) << index);
            }
        }
        drive(&mut encoder.mask_oh, 0);
        settle(&mut encoder);
        assert_eq!(number(&encoder.index), 0);
    }
}

#[test]
fn arbiters_grant_whom_they_promise() {
    for count in [1usize, 2, 3, 8, 32] {
        let mut rng = Rng::new(count as u64);
        let (mut priority, mut fair) = (PriorityArbiter::new(count), RoundRobinArbiter::new(count));
        let mut last = count - 1;
        for _ in 0..500 {
            let requests = rng.next_u64() as u32 & rng.next_u64() as u32 & ((1u64 << count) - 1) as u32;
            let advance = rng.percent(70);
            drive(&mut priority.requests, requests);
            settle(&mut priority);
            drive(&mut fair.requests, requests);
            fair.advance.next = advance;
            settle(&mut fair);
            assert_eq!(priority.grant_valid.val(), requests != 0);
            assert_eq!(fair.grant_valid.val(), requests != 0);
            let lowest = (0..count).find(|i| requests >> i & 1 != 0);
            let next = (1..=count).map(|step| (last + step) % count).find(|i| requests >> i & 1 != 0);
            assert_eq!(number(&priority.grant_oh), lowest.map_or(0, |i| 1 << i));
            assert_eq!(number(&priority.grant_index), lowest.unwrap_or(0) as u32);
            assert_eq!(number(&fair.grant_oh), next.map_or(0, |i| 1 << i));
            assert_eq!(number(&fair.grant_index), next.unwrap_or(0) as u32);
            if advance {
                last = next.unwrap_or(last);
            }
            tick(&mut fair);
        }
    }
}

#[test]
fn the_order_matrix_keeps_the_order_of_activation() {
    for count in [1usize, 2, 5, 8, 32] {
        let mut rng = Rng::new(count as u64);
        let mut matrix = AgeMatrix::new(count);
        let mut order: Vec<usize> = (0..count).collect();
        settle(&mut matrix);
        for _ in 0..300 {
            for (rank, wid) in order.iter().enumerate() {
                let older = order[..rank].iter().fold(0, |mask, w| mask | 1 << w);
                assert_eq!(number(&matrix.older[*wid]), older, "{order:?}");
            }
            let starts = rng.next_u64() as u32 & rng.next_u64() as u32 & ((1u64 << count) - 1) as u32;
            drive(&mut matrix.start_warps, starts);
            tick(&mut matrix);
            let starting = |wid: &usize| starts >> wid & 1 != 0;
            order.retain(|wid| !starting(wid));
            order.extend((0..count).filter(starting));
        }
    }
}
