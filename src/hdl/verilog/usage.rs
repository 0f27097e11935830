//! Where the signals of a module's logic are written and read: what the splitting into processes and the checks go by.
use super::ir::{Expr, Index, LoopVariable, Place, SignalId, Statement};

/// One assignment, with what surrounds it.
#[derive(Clone, Debug)]
pub(super) struct Write<'a> {
    pub(super) target: &'a Place,
    pub(super) value: &'a Expr,
    /// Enclosing loops, outermost first.
    pub(super) loops: Vec<&'a LoopVariable>,
    /// Inside an `if` or a `case`.
    pub(super) conditional: bool,
    /// Order in the logic.
    pub(super) position: usize,
    /// Number of the outermost statement it is in.
    pub(super) top: usize,
    /// Number of the section it is in: see [`Usage::sections`].
    pub(super) section: usize,
    /// Number of the step it is in: how many numbered comments stand before it.
    pub(super) step: usize,
    /// What the value, the indices and the enclosing conditions read, with the position of the reading.
    pub(super) reads: Vec<(&'a Place, usize)>,
}

impl Write<'_> {
    /// Whether this one assignment gives every element of its signal its value: unconditional, not a part,
    /// each index the variable of a loop of its own over the whole array.
    pub(super) fn is_whole(&self, dims: &[usize]) -> bool {
        if self.conditional || self.target.part.is_some() {
            return false;
        }
        let mut used: Vec<usize> = vec![];
        let covers = self.target.indices.iter().zip(dims).all(|(index, &length)| match index {
            Index::Variable(variable) => {
                let whole = variable.from == 0 && variable.to == length && !used.contains(&variable.id);
                used.push(variable.id);
                whole
            }
            Index::Number(0) => length == 1,
            _ => false,
        });
        covers && used.len() == self.loops.len()
    }
}

/// All assignments of a module's logic, in order.
#[derive(Debug, Default)]
pub(super) struct Usage<'a> {
    pub(super) writes: Vec<Write<'a>>,
    /// The comments that stand at the head of each section of a module's logic; the first has none.
    pub(super) sections: Vec<Vec<&'a str>>,
    /// The numbered comments that head the steps.
    pub(super) headings: Vec<&'a str>,
    position: usize,
    top: usize,
    step: usize,
    loops: Vec<&'a LoopVariable>,
    conditions: Vec<(&'a Place, usize)>,
    depth: usize,
}

impl<'a> Usage<'a> {
    pub(super) fn new(block: &'a [Statement]) -> Self {
        let mut usage = Self { sections: vec![vec![]], ..Self::default() };
        let mut in_head = false;
        for (top, statement) in block.iter().enumerate() {
            usage.top = top;
            if matches!(statement, Statement::Comment(text) if text.is_empty()) {
                continue;
            }
            if let Statement::Comment(text) = statement {
                if is_step(text) {
                    usage.step += 1;
                    usage.headings.push(text);
                }
                if !std::mem::replace(&mut in_head, true) {
                    usage.sections.push(vec![]);
                }
                usage.sections.last_mut().into_iter().for_each(|head| head.push(text));
            } else {
                in_head = false;
            }
            usage.block(std::slice::from_ref(statement));
        }
        usage
    }

    fn block(&mut self, block: &'a [Statement]) {
        for statement in block {
            self.position += 1;
            match statement {
                Statement::Assign { target, value } => self.write(target, value),
                Statement::If { test, then, otherwise } => {
                    let outer = self.enter(test);
                    self.block(then);
                    self.block(otherwise);
                    self.leave(outer);
                }
                Statement::Case { subject, arms } => {
                    let outer = self.enter(subject);
                    arms.iter().for_each(|(_, body)| self.block(body));
                    self.leave(outer);
                }
                Statement::For { variable, body } => {
                    self.loops.push(variable);
                    self.block(body);
                    self.loops.pop();
                }
                Statement::Comment(_) => {}
            }
        }
    }

    fn enter(&mut self, condition: &'a Expr) -> usize {
        let outer = self.conditions.len();
        let position = self.position;
        condition.places(&mut |place| self.conditions.push((place, position)));
        self.depth += 1;
        outer
    }

    fn leave(&mut self, outer: usize) {
        self.conditions.truncate(outer);
        self.depth -= 1;
    }

    fn write(&mut self, target: &'a Place, value: &'a Expr) {
        let position = self.position;
        let mut reads = self.conditions.clone();
        value.places(&mut |place| reads.push((place, position)));
        target.index_places(&mut |place| reads.push((place, position)));
        self.writes.push(Write {
            target,
            value,
            loops: self.loops.clone(),
            conditional: self.depth > 0,
            position,
            top: self.top,
            section: self.sections.len().saturating_sub(1),
            step: self.step,
            reads,
        });
    }

    /// The writes of each signal, as positions in `writes`.
    pub(super) fn by_signal(&self, signals: usize) -> Vec<Vec<usize>> {
        let mut lists = vec![vec![]; signals];
        for (at, write) in self.writes.iter().enumerate() {
            lists[write.target.signal].push(at);
        }
        lists
    }
}

/// Whether a comment heads a numbered step.
pub(super) fn is_step(text: &str) -> bool {
    text.split_once('.')
        .is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()))
}

/// Leaves out the headings of steps of which nothing is left, and what else is said of nothing at the end of a step.
pub(super) fn without_empty_steps(logic: Vec<Statement>) -> Vec<Statement> {
    let mut kept: Vec<Statement> = vec![];
    for statement in logic {
        if matches!(&statement, Statement::Comment(text) if is_step(text)) {
            let is_comment = |statement: &&Statement| matches!(statement, Statement::Comment(_));
            let comments = kept.iter().rev().take_while(is_comment).count();
            kept.truncate(kept.len() - comments);
        }
        kept.push(statement);
    }
    kept
}

/// Keeps of `block` what assigns the signals that `keep` accepts; comments stay with what
/// follows them up to the next comment.
pub(super) fn slice(block: &[Statement], keep: &dyn Fn(SignalId) -> bool) -> Vec<Statement> {
    let mut kept = vec![];
    let mut comments = vec![];
    let mut stale = false;
    for statement in block {
        let part = match statement {
            // It ends the reach of those before, but of headings: what follows is of their step.
            Statement::Comment(text) if text.is_empty() => {
                let is_heading =
                    |comment: &Statement| matches!(comment, Statement::Comment(text) if is_step(text));
                comments.retain(|comment| !stale && is_heading(comment));
                kept.extend((!kept.is_empty()).then(|| statement.clone()));
                continue;
            }
            Statement::Comment(_) => {
                if std::mem::take(&mut stale) {
                    comments.clear();
                }
                comments.push(statement.clone());
                continue;
            }
            Statement::Assign { target, .. } => keep(target.signal).then(|| statement.clone()),
            Statement::If { test, then, otherwise } => {
                let (then, otherwise) = (slice(then, keep), slice(otherwise, keep));
                let empty = then.is_empty() && otherwise.is_empty();
                (!empty).then(|| Statement::If { test: test.clone(), then, otherwise })
            }
            Statement::Case { subject, arms } => {
                let arms: Vec<_> =
                    arms.iter().map(|(label, body)| (label.clone(), slice(body, keep))).collect();
                let empty = arms.iter().all(|(_, body)| body.is_empty());
                (!empty).then(|| Statement::Case { subject: subject.clone(), arms })
            }
            Statement::For { variable, body } => {
                let body = slice(body, keep);
                (!body.is_empty()).then(|| Statement::For { variable: variable.clone(), body })
            }
        };
        if let Some(part) = part {
            kept.append(&mut comments);
            kept.push(part);
        }
        stale = true;
    }
    kept
}
