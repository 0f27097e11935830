use std::collections::BTreeSet;

use super::*;
use crate::decode;

fn shapes() -> Vec<Shape> {
    let mut shapes = vec![Shape::linux_user(200), Shape { fpu: true, ..Shape::linux_user(200) }];
    for (warps, threads, local) in
        [(1, 1, 64), (2, 2, 256), (3, 4, 16384), (4, 4, 16384), (32, 32, 512), (32, 32, 64)]
    {
        let config = CoreConfig { warps, threads, local_mem_bytes: local, ..CoreConfig::default() };
        shapes.push(Shape::grid(&config, warps.div_ceil(2), 150));
        shapes.push(Shape::core(&config, 150));
        shapes.push(Shape::core(&CoreConfig { atomics: true, cross_lane: true, ..config }, 150));
    }
    shapes
}

#[test]
fn a_seed_determines_the_program() {
    for shape in shapes() {
        assert_eq!(program(7, &shape), program(7, &shape));
        assert_ne!(program(7, &shape).bytes, program(8, &shape).bytes);
    }
}

#[test]
fn every_instruction_occurs() {
    let shape = Shape::core(&CoreConfig { atomics: true, cross_lane: true, ..CoreConfig::default() }, 150);
    let mut seen = BTreeSet::new();
    for seed in 0..300 {
        seen.extend(program(seed, &shape).words().filter_map(|(_, word)| decode(word)));
    }
    let missing: Vec<&str> =
        ISA.iter().filter(|row| !seen.contains(&row.op)).map(|row| row.mnemonic).collect();
    assert!(missing.is_empty(), "never generated, src/isa/random/ lacks a line for each: {missing:?}");
}

#[test]
fn programs_decode_and_branches_stay_inside() {
    for shape in shapes() {
        for seed in 0..100 {
            let image = program(seed, &shape);
            let end = image.symbols.get("dump").or(image.symbols.get("data")).copied().expect("data");
            for (pc, word) in image.words().take_while(|&(pc, _)| pc < end) {
                // Zero words stand where only a wrong path leads.
                let Some(op) = decode(word) else {
                    assert_eq!(word, 0, "seed {seed} at {pc:#x}");
                    continue;
                };
                if op.is_branch() || op == Op::Jal {
                    let target = pc.wrapping_add(op.imm(word));
                    assert!((image.base..end).contains(&target) && target % 4 == 0, "seed {seed} at {pc:#x}");
                }
            }
        }
    }
}

#[test]
fn linux_programs_are_scalar() {
    use crate::table::Latency;
    let shape = Shape::linux_user(300);
    for seed in 0..50 {
        let image = program(seed, &shape);
        let ops: Vec<Op> = image
            .words()
            .take_while(|&(pc, _)| pc < image.symbols["dump"])
            .filter_map(|(_, word)| decode(word))
            .collect();
        assert!(ops.iter().all(|op| op.info().latency != Latency::Csr));
        assert!(!ops.iter().any(|op| matches!(op, Op::CzeroEqz | Op::CzeroNez) || op.needs_fpu()));
        // The one SIMT instruction is the halt that Linux never reaches.
        assert_eq!(ops.iter().filter(|op| op.info().latency == Latency::Warp).count(), 1);
    }
}
