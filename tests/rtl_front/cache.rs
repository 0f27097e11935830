//! The instruction cache alone: latencies, misses that join or overflow, kills, FENCE.I.
use super::bench::{drive, number, settle, tick};
use rtl::mem::icache::InstructionCache;
use spec::config::{CacheConfig, CoreConfig};

fn cache(bytes: usize, ways: usize) -> InstructionCache {
    let mut cache = InstructionCache::new(&CoreConfig {
        warps: 8,
        icache: CacheConfig { bytes, ways },
        ..CoreConfig::default()
    });
    cache.mem_req.ready.next = true;
    // until the sweep after reset has passed them, lines are lost
    (0..bytes / 64 / ways).for_each(|_| wait(&mut cache));
    cache
}

/// Puts a fetch on the inputs (`None`: no fetch) and lets the logic settle.
fn request(cache: &mut InstructionCache, fetch: Option<(u32, u32)>) {
    cache.fetch.valid.next = fetch.is_some();
    let (wid, pc) = fetch.unwrap_or_default();
    drive(&mut cache.fetch.wid, wid);
    drive(&mut cache.fetch.pc, pc);
    settle(cache);
}

/// One cycle with this fetch.
fn fetch(cache: &mut InstructionCache, wid: u32, pc: u32) {
    request(cache, Some((wid, pc)));
    assert!(cache.icache_req_ready.val());
    tick(cache);
    request(cache, None);
}

/// One cycle without a fetch.
fn wait(cache: &mut InstructionCache) {
    request(cache, None);
    tick(cache);
}

/// One cycle with this fetch, which misses, and those until memory is asked for its line: the request's tag.
fn ask(cache: &mut InstructionCache, wid: u32, pc: u32) -> u32 {
    fetch(cache, wid, pc);
    wait(cache);
    wait(cache);
    number(&cache.mem_req.tag)
}

/// The line `line` with `version` in its upper bits arrives as answer `tag`; returns the warps it wakes.
fn respond(cache: &mut InstructionCache, tag: u32, line: u32, version: u32) -> u32 {
    cache.mem_rsp.valid.next = true;
    drive(&mut cache.mem_rsp.tag, tag);
    for (i, word) in cache.mem_rsp.data.iter_mut().enumerate() {
        drive(word, word_of(line * 64 + i as u32 * 4, version));
    }
    settle(cache);
    assert!(!cache.icache_req_ready.val(), "a request while the line is written would read the old one");
    let woken = number(&cache.events.wake_warps);
    tick(cache);
    cache.mem_rsp.valid.next = false;
    settle(cache);
    woken
}

fn word_of(pc: u32, version: u32) -> u32 {
    version << 28 | pc & 0xfff_ffff
}

/// The warp of the miss that is found now.
fn missed(cache: &InstructionCache) -> Option<u32> {
    cache.icache.miss.val().then(|| number(&cache.events.stage_wid[0]))
}

/// The warp and the address that the miss of the cycle before brings back.
fn brought_back(cache: &InstructionCache) -> Option<(u32, u32)> {
    let miss = (number(&cache.events.missed.wid), number(&cache.events.missed.pc));
    cache.events.missed.valid.val().then_some(miss)
}

/// Fetches one word through a whole miss, and again when its line is there, so that the line is no longer guarded.
fn load(cache: &mut InstructionCache, pc: u32, version: u32) {
    fetch(cache, 0, pc);
    assert_eq!(missed(cache), Some(0));
    tick(cache);
    assert_eq!(brought_back(cache), Some((0, pc)));
    tick(cache);
    assert!(cache.mem_req.valid.val());
    assert_eq!(number(&cache.mem_req.addr), pc / 64);
    let tag = number(&cache.mem_req.tag);
    tick(cache);
    assert_eq!(respond(cache, tag, pc / 64, version), 1);
    lookup(cache, 0, pc);
}

/// Fetches `pc` for `wid` and returns the word, or `None` on a miss; checks the latencies of both.
fn lookup(cache: &mut InstructionCache, wid: u32, pc: u32) -> Option<u32> {
    fetch(cache, wid, pc);
    // c + 1
    assert!(cache.events.stage_valid[0].val());
    let miss = missed(cache);
    assert_eq!(cache.icache.hit.val(), miss.is_none());
    wait(cache);
    // c + 2
    assert_eq!(cache.events.stage_valid[1].val(), miss.is_none());
    assert_eq!(brought_back(cache), miss.map(|_| (wid, pc)));
    wait(cache);
    // c + 3
    assert_eq!(cache.fetched.valid.val(), miss.is_none());
    if miss.is_some() {
        return None;
    }
    assert_eq!((number(&cache.fetched.wid), number(&cache.fetched.pc)), (wid, pc));
    let word = number(&cache.fetched_instr);
    wait(cache);
    assert!(!cache.fetched.valid.val());
    Some(word)
}

#[test]
fn a_line_is_fetched_once_and_all_its_words_hit() {
    let mut c = cache(1024, 1);
    load(&mut c, 0x8000_0008, 1);
    for word in 0..16 {
        let pc = 0x8000_0000 + 4 * word;
        assert_eq!(lookup(&mut c, word % 8, pc), Some(word_of(pc, 1)));
    }
    assert_eq!(lookup(&mut c, 0, 0x8000_0040), None);
}

#[test]
fn requests_stream_one_a_cycle() {
    let mut c = cache(1024, 1);
    load(&mut c, 0x40, 2);
    let mut seen = vec![];
    for cycle in 0..20 {
        let pc = 0x40 + 4 * cycle;
        request(&mut c, (cycle < 16).then_some((cycle % 8, pc)));
        if c.fetched.valid.val() {
            seen.push((number(&c.fetched.wid), number(&c.fetched_instr)));
        }
        tick(&mut c);
    }
    let all: Vec<_> = (0..16).map(|i| (i % 8, word_of(0x40 + 4 * i, 2))).collect();
    assert_eq!(seen, all);
}

#[test]
fn a_miss_drops_the_younger_request_of_its_warp_and_no_other() {
    let mut c = cache(1024, 1);
    load(&mut c, 0x00, 1);
    // in one stream: warp 1 hits, warp 1 misses, then warp 1 (younger than the miss) and warp 2 hit
    let stream = [(1, 0x3c), (1, 0x40), (1, 0x04), (2, 0x08)];
    let mut responses = vec![];
    for cycle in 0..8 {
        request(&mut c, stream.get(cycle).copied());
        assert_eq!(missed(&c), (cycle == 2).then_some(1));
        assert_eq!(brought_back(&c), (cycle == 3).then_some((1, 0x40)));
        if c.fetched.valid.val() {
            responses.push((number(&c.fetched.wid), number(&c.fetched.pc)));
        }
        tick(&mut c);
    }
    assert_eq!(responses, [(1, 0x3c), (2, 0x08)]);
}

#[test]
fn misses_on_one_line_share_a_request() {
    let mut c = cache(1024, 1);
    c.mem_req.ready.next = false;
    for wid in [1, 3, 6] {
        fetch(&mut c, wid, 0x100 + 4 * wid);
        assert!(missed(&c).is_some());
    }
    wait(&mut c);
    wait(&mut c);
    c.mem_req.ready.next = true;
    settle(&mut c);
    assert!(c.mem_req.valid.val());
    assert_eq!(number(&c.mem_req.addr), 4);
    let tag = number(&c.mem_req.tag);
    tick(&mut c);
    assert!(!c.mem_req.valid.val(), "one request for the line");
    assert_eq!(respond(&mut c, tag, 4, 1), 1 << 1 | 1 << 3 | 1 << 6);
}

#[test]
fn a_miss_in_the_cycle_in_which_its_line_arrives_is_woken() {
    let mut c = cache(1024, 1);
    let tag = ask(&mut c, 1, 0x100);
    wait(&mut c);
    fetch(&mut c, 2, 0x104);
    assert_eq!(missed(&c), Some(2));
    assert_eq!(respond(&mut c, tag, 4, 1), 1 << 1);
    assert_eq!(brought_back(&c), Some((2, 0x104)));
    assert_eq!(number(&c.events.wake_warps), 1 << 2, "its own miss is seen a cycle later");
    // The line stays until both have fetched: the guard counts the late one, too.
    wait(&mut c);
    assert_eq!(lookup(&mut c, 2, 0x104), Some(word_of(0x104, 1)));
}

#[test]
fn a_line_that_is_looked_up_while_another_replaces_it_is_no_hit() {
    // lines 0 and 4 share the only way of set 0
    let mut c = cache(256, 1);
    load(&mut c, 0x000, 1);
    let tag = ask(&mut c, 1, 0x100);
    wait(&mut c);
    fetch(&mut c, 2, 0x004);
    assert!(c.icache.hit.val());
    c.mem_rsp.valid.next = true;
    drive(&mut c.mem_rsp.tag, tag);
    settle(&mut c);
    assert_eq!(missed(&c), Some(2));
    assert_eq!(respond(&mut c, tag, 4, 1), 1 << 1);
    assert_eq!(brought_back(&c), Some((2, 0x004)));
    // it is tried again when the other line has been fetched from
    assert_eq!(number(&c.events.wake_warps), 0);
    assert_eq!(lookup(&mut c, 1, 0x100), Some(word_of(0x100, 1)));
    assert_eq!(lookup(&mut c, 2, 0x004), None);
    assert!(c.mem_req.valid.val());
    assert_eq!(number(&c.mem_req.addr), 0);
}

#[test]
fn more_misses_than_entries_try_again_when_a_line_arrives() {
    let mut c = cache(1024, 1);
    c.mem_req.ready.next = false;
    for wid in 0..6 {
        fetch(&mut c, wid, 0x1000 + 64 * wid);
    }
    wait(&mut c);
    wait(&mut c);
    c.mem_req.ready.next = true;
    settle(&mut c);
    let mut tags = vec![];
    while c.mem_req.valid.val() && tags.len() <= 4 {
        // requests leave in the order of the misses
        assert_eq!(number(&c.mem_req.addr), 0x40 + tags.len() as u32);
        tags.push(number(&c.mem_req.tag));
        tick(&mut c);
    }
    assert_eq!(tags.len(), 4);
    // out of order: the last line comes first, and wakes the two warps that found no entry
    assert_eq!(respond(&mut c, tags[3], 0x43, 1), 1 << 3 | 1 << 4 | 1 << 5);
    assert_eq!(respond(&mut c, tags[0], 0x40, 1), 1 << 0);
    assert_eq!(lookup(&mut c, 3, 0x10c0), Some(word_of(0x10c0, 1)));
    // the entry that is next in turn guards its line until it is used
    assert_eq!(lookup(&mut c, 0, 0x1000), Some(word_of(0x1000, 1)));
    c.mem_req.ready.next = false;
    assert_eq!(lookup(&mut c, 4, 0x1100), None);
    assert!(c.mem_req.valid.val());
    assert_eq!(number(&c.mem_req.addr), 0x44);
}

#[test]
fn killed_requests_neither_hit_nor_miss_nor_answer() {
    let mut c = cache(1024, 1);
    load(&mut c, 0x00, 1);
    // three requests of warp 1 in the request cycle, stage 1 and stage 2, one of warp 2 between them
    fetch(&mut c, 1, 0x00);
    fetch(&mut c, 2, 0x04);
    request(&mut c, Some((1, 0x40)));
    drive(&mut c.kill_warps, 1 << 1);
    settle(&mut c);
    assert!(c.icache.hit.val());
    tick(&mut c);
    drive(&mut c.kill_warps, 0);
    request(&mut c, None);
    assert_eq!(missed(&c), None);
    let mut responses = vec![];
    for _ in 0..5 {
        if c.fetched.valid.val() {
            responses.push((number(&c.fetched.wid), number(&c.fetched.pc)));
        }
        assert!(!c.mem_req.valid.val(), "a killed request fetches no line");
        wait(&mut c);
    }
    assert_eq!(responses, [(2, 0x04)]);
    // killed in stage 1: the miss is not signalled
    fetch(&mut c, 1, 0x40);
    drive(&mut c.kill_warps, 1 << 1);
    settle(&mut c);
    assert!(missed(&c).is_none() && !c.icache.hit.val());
}

#[test]
fn fence_i_forgets_all_lines_and_those_on_their_way() {
    let mut c = cache(1024, 1);
    load(&mut c, 0x00, 1);
    let tag = ask(&mut c, 5, 0x40);
    wait(&mut c);
    c.flush_icache.next = true;
    wait(&mut c);
    c.flush_icache.next = false;
    settle(&mut c);
    assert_eq!(respond(&mut c, tag, 1, 1), 1 << 5, "the warp is woken to try again");
    assert_eq!(lookup(&mut c, 5, 0x40), None, "the stale line was not installed");
    assert_eq!(lookup(&mut c, 0, 0x00), None);
}

#[test]
fn no_line_is_found_before_the_sweep_after_reset_or_fence_i_has_passed_it() {
    let mut c = cache(1024, 1);
    (0..16).for_each(|line| load(&mut c, line * 64, 1));
    (0..16).for_each(|line| assert!(lookup(&mut c, 0, line * 64).is_some()));
    c.flush_icache.next = true;
    wait(&mut c);
    c.flush_icache.next = false;
    // ahead of the sweep, beside it and behind it
    let mut before = None;
    for (at, line) in [15, 0, 1, 2, 14, 3, 4, 13, 5, 6, 7].into_iter().enumerate() {
        let wid = at as u32 % 8;
        fetch(&mut c, wid, line * 64);
        assert_eq!((brought_back(&c), missed(&c)), (before, Some(wid)));
        before = Some((wid, line * 64));
    }
    // a line of a swept set stays, whatever the sweep does elsewhere
    let mut c = cache(1024, 1);
    c.flush_icache.next = true;
    wait(&mut c);
    c.flush_icache.next = false;
    load(&mut c, 0x00, 2);
    assert_eq!(lookup(&mut c, 0, 0x04), Some(word_of(0x04, 2)));
    (0..20).for_each(|_| wait(&mut c));
    assert_eq!(lookup(&mut c, 0, 0x08), Some(word_of(0x08, 2)));
    load(&mut c, 0x3c0, 2);
    assert_eq!(lookup(&mut c, 0, 0x3c4), Some(word_of(0x3c4, 2)));
}

#[test]
fn ways_hold_lines_of_one_set_together() {
    // 4 ways of 4 sets: lines 0, 4, 8, 12 share set 0
    let mut c = cache(1024, 4);
    for line in [0, 4, 8, 12] {
        load(&mut c, line * 64, 3);
    }
    for line in [0, 4, 8, 12] {
        assert_eq!(lookup(&mut c, 1, line * 64 + 8), Some(word_of(line * 64 + 8, 3)));
    }
    load(&mut c, 16 * 64, 3);
    assert_eq!(lookup(&mut c, 1, 0), None, "the oldest of the full set made room");
    // direct-mapped: the second line replaces the first at once
    let mut c = cache(256, 1);
    load(&mut c, 0, 3);
    load(&mut c, 256, 3);
    assert_eq!(lookup(&mut c, 1, 0), None);
    assert_eq!(lookup(&mut c, 1, 256), Some(word_of(256, 3)));
}

#[test]
fn a_line_stays_until_a_warp_that_waited_for_it_has_fetched_or_no_longer_wants_it() {
    // lines 0 and 4 share the only way of set 0
    let mut c = cache(256, 1);
    let tag = ask(&mut c, 1, 0x000);
    tick(&mut c);
    assert_eq!(lookup(&mut c, 2, 0x100), None);
    assert!(!c.mem_req.valid.val(), "the set has a line on its way");
    assert_eq!(respond(&mut c, tag, 0, 1), 1 << 1 | 1 << 2);
    assert_eq!(lookup(&mut c, 2, 0x100), None);
    assert!(!c.mem_req.valid.val(), "warp 1 has not fetched yet");
    assert_eq!(lookup(&mut c, 1, 0x000), Some(word_of(0x000, 1)));
    // now the other line may come; its warp is redirected before it arrives
    let tag = ask(&mut c, 2, 0x100);
    assert!(c.mem_req.valid.val());
    tick(&mut c);
    drive(&mut c.kill_warps, 1 << 2);
    tick(&mut c);
    drive(&mut c.kill_warps, 0);
    assert_eq!(respond(&mut c, tag, 4, 1), 0);
    wait(&mut c);
    fetch(&mut c, 1, 0x000);
    tick(&mut c);
    tick(&mut c);
    assert!(c.mem_req.valid.val(), "nobody waits for the line that arrived");
}
