//! The cells that are Verilog text, against their Rust models, cycle by cycle in Icarus Verilog.
use hdl::cell::{signal, LineRam, LutRam, Multiplier, SyncRam, SyncRamBe};
use isa::random::Rng;
use rust_hdl::prelude::*;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Cycles of a test.
const CYCLES: usize = 600;

/// Random bits; all ones and the sign bit alone now and then.
fn value(rng: &mut Rng, width: usize) -> u64 {
    let all = u64::MAX >> (64 - width);
    match rng.below(8) {
        0 => all,
        1 => 1 << (width - 1),
        _ => rng.next_u64() & all,
    }
}

/// A clocked cell under test: the values of its inputs go in, that of its output comes out.
trait Cell: Block {
    /// Names and widths of the inputs besides the clock.
    fn inputs(&self) -> Vec<(&'static str, usize)>;
    fn output(&self) -> (&'static str, usize);
    fn set(&mut self, values: &[u64]);
    fn clock(&mut self, level: bool);
    fn get(&self) -> u128;
}

/// Implements `Cell` for a type with these ports.
macro_rules! cell {
    ($type:ty, $width:expr, [$($input:ident: $input_width:expr),*] -> $output:ident) => {
        impl Cell for $type {
            fn inputs(&self) -> Vec<(&'static str, usize)> {
                vec![$((stringify!($input), $input_width)),*]
            }
            fn output(&self) -> (&'static str, usize) {
                (stringify!($output), $width)
            }
            fn set(&mut self, values: &[u64]) {
                let mut values = values.iter();
                $(assign(&mut self.$input, *values.next().unwrap());)*
            }
            fn clock(&mut self, level: bool) {
                self.clock.next.clk = level;
            }
            fn get(&self) -> u128 {
                (0..$width).map(|bit| u128::from(self.$output.val().get_bit(bit)) << bit).sum()
            }
        }
    };
}

/// Signals that a number can be given to.
trait Input {
    fn give(&mut self, value: u64);
}
impl Input for Signal<In, Bit> {
    fn give(&mut self, value: u64) {
        self.next = value == 1;
    }
}
impl<const N: usize> Input for Signal<In, Bits<N>> {
    fn give(&mut self, value: u64) {
        self.next = value.into();
    }
}
impl<const N: usize> Input for Vec<Signal<In, Bits<N>>> {
    fn give(&mut self, value: u64) {
        let word = |i: usize| value >> (N * i) & ((1 << N) - 1);
        self.iter_mut().enumerate().for_each(|(i, signal)| signal.next = word(i).into());
    }
}
fn assign(signal: &mut impl Input, value: u64) {
    signal.give(value);
}

/// A clearable memory, whose owner never reads the word that it writes.
#[derive(LogicBlock)]
struct ClearableRam {
    clock: Signal<In, Clock>,
    clear: Signal<In, Bit>,
    read_enable: Signal<In, Bit>,
    read_address: Signal<In, Bits<16>>,
    read_data: Signal<Out, Bits<32>>,
    write_enable: Signal<In, Bit>,
    write_address: Signal<In, Bits<16>>,
    write_data: Signal<In, Bits<32>>,
    ram: SyncRam<32>,
}

impl ClearableRam {
    fn new() -> Self {
        Self {
            clock: Signal::default(),
            clear: Signal::default(),
            read_enable: Signal::default(),
            read_address: signal(4),
            read_data: signal(24),
            write_enable: Signal::default(),
            write_address: signal(4),
            write_data: signal(24),
            ram: SyncRam::clearable(24, 12),
        }
    }
}

impl Logic for ClearableRam {
    #[hdl_gen]
    fn update(&mut self) {
        self.ram.clock.next = self.clock.val();
        self.ram.clear[0].next = self.clear.val();
        self.ram.read_enable.next = self.read_enable.val();
        self.ram.read_address.next = self.read_address.val();
        self.ram.write_enable.next =
            self.write_enable.val() & (self.write_address.val() != self.read_address.val());
        self.ram.write_address.next = self.write_address.val();
        self.ram.write_data.next = self.write_data.val();
        self.read_data.next = self.ram.read_data.val();
    }
}

cell!(SyncRam<32>, 24, [read_enable: 1, read_address: 4, write_enable: 1, write_address: 4, write_data: 24] -> read_data);
cell!(ClearableRam, 24, [clear: 1, read_enable: 1, read_address: 4, write_enable: 1, write_address: 4, write_data: 24] -> read_data);
cell!(SyncRamBe, 32, [read_enable: 1, read_address: 4, write_enable: 4, write_address: 4, write_data: 32] -> read_data);
cell!(LineRam, 32, [read_enable: 1, read_address: 4, write_enable: 1, write_address: 3, write_data: 64] -> read_data);
cell!(LutRam<32>, 24, [read_address: 4, write_enable: 1, write_address: 4, write_data: 24] -> read_data);
cell!(Multiplier, 64, [enable: 1, a: 33, b: 33] -> product);

/// Drives model and Verilog with the same inputs; `warm` gives those of the first cycles, whose outputs don't count.
fn compare<C: Cell>(name: &str, mut cell: C, words: usize, warm: impl Fn(usize) -> Option<Vec<u64>>) {
    let design = hdl::verilog::emit(&mut cell, "dut", &[]).unwrap();
    let (inputs, (output, width)) = (cell.inputs(), cell.output());
    let mut rng = Rng::new(words as u64);
    let mut steps = String::new();
    for cycle in 0..CYCLES {
        let values = warm(cycle).unwrap_or_else(|| {
            let random = inputs.iter().map(|(name, width)| match name.ends_with("address") {
                true => rng.below(words.min(1 << width)) as u64,
                false => value(&mut rng, *width),
            });
            random.collect()
        });
        cell.set(&values);
        for level in [true, false] {
            cell.clock(level);
            // Once for the inputs to arrive, once for the cell to react, once for what follows from that.
            (0..3).for_each(|_| cell.update_all());
        }
        for ((name, width), value) in inputs.iter().zip(&values) {
            let _ = writeln!(steps, "    {name} = {width}'h{value:x};");
        }
        let _ = writeln!(steps, "    #1 clock = 1; #1 clock = 0; #1;");
        if warm(cycle).is_none() {
            let want = format!("{width}'h{:x}", cell.get());
            let _ = writeln!(
                steps,
                "    if (out !== {want}) $display(\"MISMATCH cycle {cycle}: %h, not {want}\", out);"
            );
        }
    }
    let declare: String =
        inputs.iter().map(|(name, width)| format!("  reg [{}:0] {name};\n", width - 1)).collect();
    let connect: String = inputs.iter().map(|(name, _)| format!(".{name}({name}), ")).collect();
    let bench = format!(
        "{}\nmodule bench;\n  reg clock = 0;\n{declare}  wire [{}:0] out;\n  dut dut ({connect}.clock(clock), .{output}(out));\n  \
         initial begin\n{steps}    $display(\"DONE\");\n  end\nendmodule\n",
        design.concat(),
        width - 1
    );
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("bench.v"), bench).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(&directory).output().unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run("iverilog", &["-g2001", "-o", "bench.vvp", "bench.v"]);
    let output = run("vvp", &["-n", "bench.vvp"]);
    let first = output.lines().find(|line| line.contains("MISMATCH"));
    assert_eq!(first, None, "{name}");
    assert!(output.contains("DONE"));
}

#[test]
fn the_block_memory_reads_old_data_and_holds() {
    compare("cell_sync_ram", SyncRam::<32>::new(24, 12), 12, |cycle| {
        let at = cycle as u64;
        (cycle < 12).then(|| vec![1, at.saturating_sub(1), 1, at, (at * 0x1_2345) & 0xff_ffff])
    });
}

#[test]
fn what_was_read_can_be_cleared() {
    compare("cell_clearable_ram", ClearableRam::new(), 12, |cycle| {
        let at = cycle as u64;
        (cycle < 12).then(|| vec![0, 1, at.saturating_sub(1), 1, at, (at * 0x1_2345) & 0xff_ffff])
    });
}

#[test]
fn the_byte_wide_memory_writes_single_bytes() {
    compare("cell_sync_ram_be", SyncRamBe::new(16), 16, |cycle| {
        let at = cycle as u64;
        (cycle < 16).then(|| vec![1, at.saturating_sub(1), 15, at, (at * 0x1234_5678) & 0xffff_ffff])
    });
}

#[test]
fn the_line_memory_is_written_two_words_at_a_time() {
    compare("cell_line_ram", LineRam::new(8, 2), 16, |cycle| {
        let at = cycle as u64;
        (cycle < 9).then(|| vec![1, (2 * at).saturating_sub(1).min(15), 1, at % 8, at * 0x1234_5678_9abc])
    });
}

#[test]
fn the_distributed_memory_reads_at_once() {
    compare("cell_lut_ram", LutRam::<32>::new(24, 12), 12, |cycle| {
        let at = cycle as u64;
        (cycle < 12).then(|| vec![at, 1, at, (at * 0x1_2345) & 0xff_ffff])
    });
}

#[test]
fn the_multiplier_keeps_its_product() {
    compare("cell_multiplier", Multiplier::new(), 1, |cycle| (cycle == 0).then(|| vec![1, 3, 5]));
}
