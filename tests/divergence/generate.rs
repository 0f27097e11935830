//! Random C: structured statements, goto forward and back, early returns, calls, recursion, arrays, switch, with conditions of
//! each thread's own and with uniform ones. Every loop and every goto has a budget, so that all programs end.

use cosim::Rng;

/// What every file begins with: numbers of a thread's own, and such as are the same for all.
const HEAD: &str = "
#include <stdint.h>
typedef uint32_t u;
static u hash(u x) { x ^= x >> 16; x *= 0x7feb352d; x ^= x >> 15; x *= 0x846ca68b; return x ^ x >> 16; }
static const u table[16] = {7, 91, 3, 0, 55, 4096, 12, 1, 1009, 17, 2, 8, 640, 31, 5, 77};
";

/// C with functions `k_0`, `k_1` and so on, of a number, as many as `count`.
pub fn file(seed: u64, count: usize) -> String {
    let programs = (0..count).map(|number| Generator::new(seed * 1000 + number as u64).program(number));
    HEAD.to_owned() + &programs.collect::<String>()
}

/// A function that others may call.
#[derive(Clone)]
struct Callee {
    name: String,
    arguments: usize,
    recursive: bool,
}

struct Generator {
    rng: Rng,
    callees: Vec<Callee>,
    /// Of the function that is being written.
    variables: Vec<String>,
    counters: Vec<String>,
    calls: usize,
    statements: i32,
    labels: usize,
    placed: usize,
    numbers: usize,
}

impl Generator {
    fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            callees: vec![],
            variables: vec![],
            counters: vec![],
            calls: 0,
            statements: 0,
            labels: 0,
            placed: 0,
            numbers: 0,
        }
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.rng.below(bound)
    }

    fn pick(&mut self, choices: &[&str]) -> String {
        choices[self.below(choices.len() as u32) as usize].into()
    }

    fn variable(&mut self) -> String {
        let at = self.below(self.variables.len() as u32) as usize;
        self.variables[at].clone()
    }

    fn value(&mut self, depth: u32) -> String {
        let leaf = depth >= 3;
        match self.below(if leaf { 4 } else { 12 }) {
            0..=2 => self.variable(),
            3 => match self.below(4) {
                0 => format!("{}u", self.below(100)),
                1 => format!("{}u", self.rng.below(u32::MAX)),
                2 => format!("table[{}]", self.below(16)),
                _ => format!("A[{} & 7]", self.variable()),
            },
            4..=8 => {
                let op = self.pick(&["+", "-", "*", "^", "&", "|", "+", "^"]);
                format!("({} {op} {})", self.value(depth + 1), self.value(depth + 1))
            }
            9 => {
                let (op, by) = (self.pick(&[">>", "<<"]), self.below(32));
                format!("({} {op} {by})", self.value(depth + 1))
            }
            10 => {
                let condition = self.condition(depth + 1);
                format!("({condition} ? {} : {})", self.value(depth + 1), self.value(depth + 1))
            }
            _ => match self.call(depth) {
                Some(call) => call,
                None => {
                    let op = self.pick(&["/", "%"]);
                    format!("({} {op} ({} | 1))", self.value(depth + 1), self.value(depth + 1))
                }
            },
        }
    }

    fn call(&mut self, depth: u32) -> Option<String> {
        if self.callees.is_empty() || self.calls >= 3 || self.rng.percent(50) {
            return None;
        }
        self.calls += 1;
        let at = self.below(self.callees.len() as u32) as usize;
        let Callee { name, arguments, recursive } = self.callees[at].clone();
        let mut given: Vec<String> = (0..arguments).map(|_| self.value(depth + 1)).collect();
        given.extend(recursive.then(|| self.below(4).to_string()));
        Some(format!("{name}({})", given.join(", ")))
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.below(10) {
            kind if kind < 4 || depth > 3 => {
                let op = self.pick(&["<", ">", "==", "!=", "<=", ">="]);
                format!("({} {op} {})", self.value(depth + 2), self.value(depth + 2))
            }
            4 | 5 => {
                let (mask, op) = (self.pick(&["1", "3", "4", "7", "15"]), self.pick(&["==", "!=", "<"]));
                format!("(({} & {mask}) {op} {})", self.variable(), self.below(4))
            }
            6 => format!("((int){} < (int){})", self.value(depth + 2), self.value(depth + 2)),
            7 => format!("({} && {})", self.condition(depth + 1), self.condition(depth + 1)),
            8 => format!("({} || {})", self.condition(depth + 1), self.condition(depth + 1)),
            _ => format!("(!{})", self.condition(depth + 1)),
        }
    }

    fn assignment(&mut self) -> String {
        if self.rng.percent(15) {
            return format!("A[{} & 7] = {};", self.variable(), self.value(0));
        }
        let op = self.pick(&["=", "+=", "^=", "-="]);
        format!("{} {op} {};", self.variable(), self.value(1))
    }

    fn several(&mut self, depth: u32, count: u32, in_loop: bool) -> String {
        (0..count).map(|_| self.statement(depth, in_loop) + " ").collect()
    }

    fn block(&mut self, depth: u32, in_loop: bool) -> String {
        let count = 1 + self.below(3);
        format!("{{ {}}}", self.several(depth + 1, count, in_loop))
    }

    fn counter(&mut self) -> String {
        self.numbers += 1;
        let counter = format!("i{}", self.numbers);
        self.counters.push(counter.clone());
        counter
    }

    fn statement(&mut self, depth: u32, in_loop: bool) -> String {
        self.statements -= 1;
        let small = depth > 3 || self.statements < 0;
        let kind = if small { self.below(10) } else { self.below(22) };
        match kind {
            0..=4 => self.assignment(),
            5 | 6 if in_loop => {
                format!("if {} {};", self.condition(0), self.pick(&["break", "continue"]))
            }
            7 if self.rng.percent(50) => {
                format!("if {} {{ {} return {}; }}", self.condition(0), self.assignment(), self.value(1))
            }
            8 if self.rng.percent(50) => {
                let label = self.below(self.labels as u32);
                format!("if ({} && fuel-- > 0) goto l{label};", self.condition(0))
            }
            9 if self.placed < self.labels => {
                self.placed += 1;
                format!("l{}: {}", self.placed - 1, self.assignment())
            }
            10..=12 => {
                let then = format!("if {} {}", self.condition(0), self.block(depth, in_loop));
                match self.rng.percent(50) {
                    true => then,
                    false => format!("{then} else {}", self.block(depth, in_loop)),
                }
            }
            13 | 14 => {
                let i = self.counter();
                let bound = match self.below(3) {
                    0 => (1 + self.below(6)).to_string(),
                    1 => format!("({} & 7)", self.variable()),
                    _ => format!("table[{}] % 5", self.below(16)),
                };
                let head = format!("for ({i} = 0; {i} < {bound} && fuel-- > 0; {i}++)");
                format!("{head} {{ {} += {i}; {} }}", self.variable(), self.block(depth, true))
            }
            15 => format!("while ({} && fuel-- > 0) {}", self.condition(0), self.block(depth, true)),
            16 => format!("do {} while ({} && fuel-- > 0);", self.block(depth, true), self.condition(0)),
            17 | 18 => self.switch(depth, in_loop),
            19 => {
                let (i, bound) = (self.counter(), 1 + self.below(4));
                let body = self.statement(depth + 1, true);
                let value = self.value(2);
                format!(
                    "for ({i} = 0; {i} < {bound}; {i}++) {{ A[{i} & 7] += {value}; if (fuel-- < 0) break; {body} }}"
                )
            }
            _ => self.assignment(),
        }
    }

    fn switch(&mut self, depth: u32, in_loop: bool) -> String {
        let value = self.value(1);
        let mut cases: Vec<u32> = (0..8).filter(|_| self.rng.percent(50)).collect();
        let first = self.below(8) as usize % cases.len().max(1);
        cases.rotate_left(first);
        let case = |this: &mut Self, case: u32| {
            let label = if case == 0 { "default:".into() } else { format!("case {case}:") };
            let count = 1 + this.below(2);
            let body = this.several(depth + 1, count, in_loop);
            format!("{label} {body}{} ", this.pick(&["break;", "break;", ""]))
        };
        let cases: String = cases.into_iter().map(|number| case(self, number)).collect();
        format!("switch ({value} & 7) {{ {cases}}}")
    }

    /// A function, with what its declaration begins with.
    fn function(&mut self, name: &str, arguments: usize, recursive: bool, declared: &str) -> String {
        self.variables = (0..arguments).map(|i| format!("a{i}")).collect();
        self.counters.clear();
        self.calls = 0;
        self.placed = 0;
        self.statements = 6 + self.below(20) as i32;
        self.labels = 1 + self.below(3) as usize;
        let mut locals = format!("u A[8] = {{0}}; int fuel = {};", 5 + self.below(35));
        for i in 0..1 + self.below(4) {
            locals += &format!(" u v{i} = {};", self.value(2));
            self.variables.push(format!("v{i}"));
        }
        let count = 3 + self.below(5);
        let mut body = self.several(0, count, false);
        while self.placed < self.labels {
            let assignment = self.assignment();
            body += &format!("l{}: {assignment} ", self.placed);
            self.placed += 1;
        }
        let mut parameters: Vec<String> = (0..arguments).map(|i| format!("u a{i}")).collect();
        if recursive {
            parameters.push("int depth".into());
            let condition = self.condition(0);
            let mut given: Vec<String> = (0..arguments).map(|_| self.value(2)).collect();
            given.push("depth - 1".into());
            body += &format!("if (depth > 0 && {condition}) a0 += {name}({}); ", given.join(", "));
        }
        locals.extend(self.counters.iter().map(|counter| format!(" u {counter} = 0;")));
        let result = self.variables[..self.variables.len().min(3)].join(" ^ ");
        format!(
            "{declared} u {name}({}) {{ {locals} {body}return {result} + A[1]; }}\n",
            parameters.join(", ")
        )
    }

    fn program(mut self, number: usize) -> String {
        let mut text = String::new();
        for i in 0..self.below(3) {
            let name = format!("p{number}_f{i}");
            // Some have so many that they do not fit into registers.
            let arguments = 1 + if self.rng.percent(10) { self.below(9) } else { self.below(3) } as usize;
            let recursive = self.rng.percent(30);
            let apart = "static __attribute__((noinline))";
            let declared = self.pick(&[apart, "__attribute__((noinline))", "static"]);
            text += &self.function(&name, arguments, recursive, &declared);
            self.callees.push(Callee { name, arguments, recursive });
        }
        let body = self.function(&format!("k_{number}_of"), 1, false, "static");
        text + &body + &format!("u k_{number}(u t) {{ return k_{number}_of(hash(t)); }}\n")
    }
}
