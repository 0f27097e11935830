//! A recording in the JSON form of Chrome's trace events, which Perfetto opens as it is.
//!
//! Source: the Trace Event Format of Chrome, events `X` (a slice), `C` (a counter) and `M` (names). A cycle is shown as a
//! microsecond. Slices of a track never overlap: what is under way in memory is put on as many tracks of its warp as it
//! takes.

use std::fmt::{Display, Write};

use cosim::{Instruction, Quantity, Recording, Stall};
use isa::disassemble;

/// The processes, as Perfetto groups tracks.
const GROUPS: [(u32, &str); 3] = [(1, "warps"), (2, "memory in flight"), (3, "core")];
/// Number of the first warp's track; that of its accesses begins at this and the next factor.
const FIRST_TRACK: usize = 1000;
/// Cycles whose mean is a value of the rate of issue: single cycles would be a comb, in which no trend is seen.
const BUCKET: u64 = 16;

/// Text of the file, one event a line.
pub fn json(recording: &Recording) -> String {
    let mut events = Events::default();
    for (group, name) in GROUPS {
        events.name(group, group as usize, "process_name", name);
    }
    for wid in 0..recording.warps {
        events.name(1, track(wid, 0), "thread_name", &format!("warp {wid}"));
    }
    for instruction in &recording.instructions {
        events.instruction(instruction);
    }
    for span in &recording.spans {
        let category = if span.stall == Stall::Barrier { "barrier" } else { "stall" };
        let place = (1, track(span.wid, 0));
        events.slice(place, category, span.stall.name(), (span.begin, span.end), "");
    }
    let accesses = accesses(recording);
    for &(instruction, times, lane) in &accesses {
        let place = (2, track(instruction.wid, lane + 1));
        let (name, detail) = told(instruction);
        events.slice(place, "memory", &name, times, &detail);
    }
    let mut lanes: Vec<_> = accesses.iter().map(|(i, _, lane)| (i.wid, *lane)).collect();
    lanes.sort_unstable();
    lanes.dedup();
    for (wid, lane) in lanes {
        events.name(2, track(wid, lane + 1), "thread_name", &format!("warp {wid} memory {lane}"));
    }
    counters(recording, &accesses, &mut events);
    format!(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"unit\":\"1 us is a cycle\",\"first_cycle\":{},\"end\":{},\"cut\":{}}},\
         \n\"traceEvents\":[\n{}\n]}}\n",
        recording.begin,
        recording.end,
        recording.cut,
        events.text
    )
}

/// Number of a warp's track, or of one of those of its accesses.
fn track(wid: usize, lane: usize) -> usize {
    FIRST_TRACK * (wid + 1) + lane
}

type Access<'a> = (&'a Instruction, (u64, u64), usize);

/// Loads and stores from issue to the last that is seen of them, each on the first of its warp's tracks that is free.
fn accesses(recording: &Recording) -> Vec<Access<'_>> {
    let mut free: Vec<Vec<u64>> = vec![Vec::new(); recording.warps];
    let memory = recording.instructions.iter().filter(|instruction| instruction.is_memory());
    memory
        .map(|instruction| {
            let (begin, end) = (instruction.issue, super::end(instruction, recording));
            let lanes = &mut free[instruction.wid];
            let lane = lanes.iter().position(|&until| until <= begin).unwrap_or(lanes.len());
            lanes.resize(lanes.len().max(lane + 1), 0);
            lanes[lane] = end;
            (instruction, (begin, end), lane)
        })
        .collect()
}

/// An instruction's name, and its arguments as members of an object.
fn told(instruction: &Instruction) -> (String, String) {
    let Instruction { pc, raw, tmask, slice, .. } = instruction;
    let text = disassemble(*pc, *raw);
    let name = text.split_whitespace().next().unwrap_or_default().to_owned();
    let text = serde_json::Value::from(text);
    (name, format!("\"pc\":\"{pc:#010x}\",\"instruction\":{text},\"lanes\":\"{tmask:#x}\",\"slice\":{slice}"))
}

fn counters(recording: &Recording, accesses: &[Access], events: &mut Events) {
    for &(cycle, quantity, value) in &recording.values {
        let name = match quantity {
            Quantity::Active => ["warps", "active"],
            Quantity::AtBarrier => ["warps", "at barriers"],
            Quantity::Mshrs => ["MSHRs", "in use"],
        };
        events.counter(name, cycle, value);
    }
    rate(recording, events);
    let mut steps: Vec<(u64, i64)> =
        accesses.iter().flat_map(|&(_, (begin, end), _)| [(begin, 1), (end, -1)]).collect();
    steps.sort_unstable();
    let mut under_way = 0;
    for (number, &(cycle, step)) in steps.iter().enumerate() {
        under_way += step;
        if steps.get(number + 1).is_none_or(|next| next.0 != cycle) {
            events.counter(["loads and stores", "in flight"], cycle, under_way.unsigned_abs());
        }
    }
}

/// Instructions that issue in a cycle, on the average of each bucket; the first and the last may be shorter.
fn rate(recording: &Recording, events: &mut Events) {
    let mut rest = recording.instructions.iter().map(|instruction| instruction.issue).peekable();
    let mut begin = recording.begin;
    while begin < recording.end {
        let end = (begin + 1).next_multiple_of(BUCKET).min(recording.end);
        let issued = std::iter::from_fn(|| rest.next_if(|&cycle| cycle < end)).count();
        events.counter(["instructions", "issued a cycle"], begin, issued as f64 / (end - begin) as f64);
        begin = end;
    }
}

/// Text of the events so far.
#[derive(Default)]
struct Events {
    text: String,
}

impl Events {
    fn instruction(&mut self, instruction: &Instruction) {
        let (name, detail) = told(instruction);
        let times = (instruction.issue, instruction.issue + 1);
        self.slice((1, track(instruction.wid, 0)), "issue", &name, times, &detail);
    }

    fn begin(&mut self) {
        if !self.text.is_empty() {
            self.text.push_str(",\n");
        }
    }

    fn name(&mut self, group: u32, track: usize, what: &str, name: &str) {
        self.begin();
        let _ = write!(
            self.text,
            "{{\"ph\":\"M\",\"pid\":{group},\"tid\":{track},\"name\":\"{what}\",\"args\":{{\"name\":\"{name}\"}}}}"
        );
    }

    fn slice(&mut self, place: (u32, usize), category: &str, name: &str, times: (u64, u64), detail: &str) {
        let ((group, track), (begin, end)) = (place, times);
        self.begin();
        let _ = write!(
            self.text,
            "{{\"ph\":\"X\",\"pid\":{group},\"tid\":{track},\"ts\":{begin},\"dur\":{},\"cat\":\"{category}\",\
             \"name\":\"{name}\",\"args\":{{{detail}}}}}",
            end - begin
        );
    }

    /// Perfetto calls it by both names together.
    fn counter(&mut self, [of, name]: [&str; 2], cycle: u64, value: impl Display) {
        self.begin();
        let _ = write!(
            self.text,
            "{{\"ph\":\"C\",\"pid\":3,\"ts\":{cycle},\"name\":\"{of}\",\"args\":{{\"{name}\":{value}}}}}"
        );
    }
}
