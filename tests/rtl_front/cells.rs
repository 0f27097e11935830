//! Arbiters, one-hot coders, the order matrix and what chooses by it against naive models.
use super::bench::{drive, number, settle, tick};
use cosim::Rng;
use hdl::cell::{FreeNumber, IndexOneHot, OneHotIndex, PriorityArbiter, RoundRobinArbiter};
use rtl::cell::{AgeMatrix, CtaMembers, NextInTurn, OldestWarp, YoungestWarp};
use spec::config::CoreConfig;

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

/// Any set of so many, often a small one.
fn any_mask(rng: &mut Rng, count: usize) -> u32 {
    (rng.next_u64() & rng.next_u64()) as u32 & ((1u64 << count) - 1) as u32
}

fn one_hot(index: Option<usize>) -> u32 {
    index.map_or(0, |index| 1 << index)
}

#[test]
fn the_oldest_the_youngest_and_the_next_are_chosen_among_any() {
    for count in [1usize, 2, 5, 8, 32] {
        let mut rng = Rng::new(count as u64);
        let (mut oldest, mut youngest) = (OldestWarp::new(count), YoungestWarp::new(count));
        let mut next = NextInTurn::new(count);
        let mut order: Vec<usize> = (0..count).collect();
        for _ in 0..300 {
            order.swap(rng.next_u64() as usize % count, rng.next_u64() as usize % count);
            for (rank, &wid) in order.iter().enumerate() {
                let older = order[..rank].iter().fold(0, |mask, w| mask | 1 << w);
                drive(&mut oldest.older[wid], older);
                drive(&mut youngest.older[wid], older);
            }
            let candidates = any_mask(&mut rng, count);
            let is = |wid: &usize| candidates >> wid & 1 != 0;
            drive(&mut oldest.candidates, candidates);
            settle(&mut oldest);
            assert_eq!(number(&oldest.oldest_oh), one_hot(order.iter().copied().find(is)), "{order:?}");
            drive(&mut youngest.candidates, candidates);
            settle(&mut youngest);
            assert_eq!(number(&youngest.youngest_oh), one_hot(order.iter().copied().rfind(is)), "{order:?}");
            // Nobody had the last turn now and then: scanning begins at slot 0.
            let last = (!rng.percent(10)).then(|| rng.next_u64() as usize % count);
            drive(&mut next.candidates, candidates);
            drive(&mut next.last_oh, one_hot(last));
            settle(&mut next);
            let first = last.map_or(0, |last| last + 1);
            let turn = (first..first + count).map(|wid| wid % count).find(is);
            assert_eq!(number(&next.next_oh), one_hot(turn), "{candidates:#b} after {last:?}");
        }
    }
}

#[test]
fn members_of_a_cta_are_the_warps_that_name_it() {
    for (warps, cta_slots) in [(2usize, 0), (4, 0), (32, 0), (8, 3), (32, 8), (4, 1)] {
        let mut rng = Rng::new(warps as u64);
        let cfg = CoreConfig { warps, cta_slots, ..CoreConfig::default() };
        let mut ctas = CtaMembers::new(&cfg);
        assert_eq!(ctas.members.len(), cfg.ctas());
        for _ in 0..50 {
            let of: Vec<_> = (0..warps).map(|_| rng.next_u64() as u32 % cfg.ctas() as u32).collect();
            of.iter().zip(&mut ctas.cta).for_each(|(cta, port)| drive(port, *cta));
            settle(&mut ctas);
            for (cta, members) in (0..).zip(&ctas.members) {
                let own = (0..warps).filter(|wid| of[*wid] == cta).fold(0, |mask, wid| mask | 1 << wid);
                assert_eq!(number(members), own, "{cta} of {of:?}");
            }
        }
    }
}

#[test]
fn a_free_number_is_ready_until_it_is_taken_and_none_is_given_twice() {
    for count in [2usize, 3, 8, 32] {
        let mut rng = Rng::new(count as u64);
        let mut numbers = FreeNumber::new(count);
        let (mut in_use, mut taken, mut ready_before) = (0u32, 0, None);
        for cycle in 0..1000 {
            drive(&mut numbers.in_use, in_use);
            numbers.take.next = false;
            settle(&mut numbers);
            let ready = numbers.ready.val().then(|| number(&numbers.number));
            assert!(
                ready.is_none_or(|number| in_use >> number & 1 == 0 && number < count as u32),
                "{ready:?}"
            );
            // A number that was out of use in the last cycle is ready in this one.
            assert!(
                cycle < 2 || ready.is_some() || ready_before == Some(u32::MAX >> (32 - count)),
                "{in_use:#b}"
            );
            let take = ready.is_some() && rng.percent(60);
            numbers.take.next = take;
            settle(&mut numbers);
            tick(&mut numbers);
            ready_before = Some(in_use | ready.map_or(0, |number| 1 << number));
            in_use &= !any_mask(&mut rng, count);
            if let Some(number) = ready.filter(|_| take) {
                in_use |= 1 << number;
                taken += 1;
            }
        }
        assert!(taken > 200, "{taken} of {count} were taken");
    }
}
