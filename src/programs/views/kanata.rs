//! A recording as a log for Konata: an instruction a row.
//!
//! Source: the Kanata log format, version 4, as Konata documents it. Lane 0 has the stages that the trace port tells apart;
//! lane 1 why the instruction did not issue while it stood at the head of its queue. An instruction that the recording does
//! not follow to its end is closed there as one that was flushed.

use std::fmt::Write;

use cosim::{Instruction, Recording, Span};
use isa::disassemble;

/// Stages: at the head of its queue, issue, execution, in the load/store unit, its results are written.
const STAGES: [&str; 5] = ["H", "I", "X", "M", "W"];

/// Text of the log.
pub fn log(recording: &Recording) -> String {
    let mut rows: Vec<&Instruction> = recording.instructions.iter().collect();
    rows.sort_by_key(|instruction| (instruction.head, instruction.issue));
    let mut stalls: Vec<Vec<&Span>> = vec![Vec::new(); recording.warps];
    recording.spans.iter().for_each(|span| stalls[span.wid].push(span));

    // Commands with their cycles; those of a cycle stay in the order in which they come.
    let mut commands: Vec<(u64, String)> = Vec::new();
    let mut ends = Vec::new();
    for (id, instruction) in rows.iter().enumerate() {
        begin(id, instruction, &mut commands);
        for (stage, cycle) in stages(instruction) {
            commands.push((cycle, format!("S\t{id}\t0\t{stage}\n")));
        }
        let own = &stalls[instruction.wid];
        let first = own.partition_point(|span| span.end <= instruction.head);
        for span in own[first..].iter().take_while(|span| span.begin < instruction.issue) {
            let name = span.stall.name();
            commands.push((span.begin.max(instruction.head), format!("S\t{id}\t1\t{name}\n")));
            commands.push((span.end.min(instruction.issue), format!("E\t{id}\t1\t{name}\n")));
        }
        ends.push((super::end(instruction, recording), instruction.end().is_none(), id));
    }
    ends.sort_unstable();
    for (number, &(cycle, unfinished, id)) in ends.iter().enumerate() {
        commands.push((cycle, format!("R\t{id}\t{number}\t{}\n", u8::from(unfinished))));
    }
    commands.sort_by_key(|(cycle, _)| *cycle);

    let mut now = commands.first().map_or(recording.begin, |(cycle, _)| *cycle);
    let mut text = format!("Kanata\t0004\nC=\t{now}\n");
    for (cycle, command) in commands {
        if cycle != now {
            let _ = writeln!(text, "C\t{}", cycle - now);
            now = cycle;
        }
        text.push_str(&command);
    }
    text
}

/// What introduces an instruction.
fn begin(id: usize, instruction: &Instruction, commands: &mut Vec<(u64, String)>) {
    let Instruction { wid, slice, pc, raw, tmask, head, issue, .. } = *instruction;
    let text = disassemble(pc, raw).replace(['\t', '\n'], " ");
    commands.push((head, format!("I\t{id}\t{id}\t{wid}\n")));
    commands.push((head, format!("L\t{id}\t0\tw{wid} {pc:08x}: {text}\n")));
    commands.push((head, format!("L\t{id}\t1\tslice {slice}, lanes {tmask:#x}, issued in cycle {issue}\n")));
}

/// The stages that an instruction goes through, with their first cycles; one that takes no cycle is left out.
fn stages(instruction: &Instruction) -> Vec<(&'static str, u64)> {
    let Instruction { head, issue, access, write, .. } = *instruction;
    let last = instruction.end().unwrap_or(u64::MAX);
    let begins = [Some(head), Some(issue), Some(issue + 1), access, write];
    let known: Vec<_> = STAGES.into_iter().zip(begins).filter_map(|(s, at)| Some((s, at?))).collect();
    let until = |place: usize| known.get(place + 1).map_or(last, |(_, cycle)| *cycle);
    let lasting = known.iter().enumerate().filter(|(place, (_, cycle))| *cycle < until(*place));
    lasting.map(|(_, stage)| *stage).collect()
}
