//! The schedule under SWaS, predicted without the hardware: every issue slot must be the hardware's.

use heddle::config::{CacheConfig, CoreConfig, DataCacheConfig};
use heddle::cosim::memory::MemoryKind;
use heddle::cosim::verilator::BuildOptions;
use heddle::cosim::{Comparison, Program, RunOptions, Simulation};
use heddle::isa::asm::assemble;
use heddle::kernels;
use heddle::model::timing::Latencies;

fn under(policy: &str, cfg: CoreConfig) -> CoreConfig {
    let key = format!("swas:{policy}");
    CoreConfig { fetch: key.clone(), issue: key, ..cfg }
}

fn simulation(cfg: &CoreConfig) -> Simulation {
    assert_eq!(cfg.validate(), Ok(()));
    Simulation::new(cfg, &BuildOptions::quick()).unwrap()
}

fn compare(core: &Simulation, program: &Program, options: &RunOptions, latencies: Latencies) -> Comparison {
    let (report, comparison) = core.run_predicted(program, options, latencies, &mut |_| {}).unwrap();
    if let Some(failure) = &report.failure {
        panic!("{}: {failure}", report.program);
    }
    comparison.unwrap()
}

#[test]
fn probe() {
    let cfg = under("lrr", CoreConfig { fpu: true, ..CoreConfig::default() });
    let core = simulation(&cfg);
    let ideal = RunOptions::default();
    let lines = [
        ("alu", "li a0, 1\nli a1, 2\nadd a2, a0, a1\nadd a3, a2, a2\nmul a4, a3, a2\nadd a5,a4,a4\nvx_tmc zero"),
        ("branch", "li a0, 5\nloop: addi a0, a0, -1\nbnez a0, loop\ndiv a1, a0, a0\nrem a2, a1, a1\nvx_tmc zero"),
        ("local", "lui a0, 0xffff0\nli a1, 7\nsw a1, 0(a0)\nlw a2, 0(a0)\nlw a3, 4(a0)\nadd a4, a2, a2\nvx_tmc zero"),
        ("global", "lui a0, 0xfffef\nli a1, 7\nsw a1, 0(a0)\nlw a2, 0(a0)\nlw a3, 4(a0)\nadd a4, a2, a2\nlw a3, 64(a0)\nadd a3,a3,a3\nfence\nlw a3, 64(a0)\nadd a3,a3,a3\nvx_tmc zero"),
    ];
    for (name, text) in lines {
        let image = assemble(0x8000_0000, text).unwrap();
        let program = Program::from_image(name, &image).unwrap();
        let c = compare(&core, &program, &ideal, Latencies::default());
        eprintln!("{name}: {c:x?}");
    }
    for kernel in kernels::KERNELS {
        let n = match kernel.name { "psort" => ":32", "sgemm_tiled" => ":8", _ => "" };
        let workload = kernels::select(&format!("{}{n}", kernel.name)).unwrap();
        let program = Program::from_path(&workload.build().unwrap()).unwrap();
        for memory in [MemoryKind::Ideal, MemoryKind::Fixed(20)] {
            let options = RunOptions { memory, max_cycles: 3_000_000, ..ideal.clone() };
            let c = compare(&core, &program, &options, Latencies::default());
            eprintln!("{} {memory}: {} {} / {} differ, first {:x?} {:?} {:.0} kc/s", kernel.name, c.predicted_cycles, c.differing, c.slots, c.first, c.reservations, c.kilocycles_per_second());
        }
    }
}
