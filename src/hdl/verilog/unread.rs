//! Bits that nothing reads, so that the text can say so and lint needs no waiver.
//!
//! A module need not read every field of a bundle, nor what each of several parts puts out: that is listed by itself. Of anything else the logic
//! gives the reason, `comment!("unread name, name: reason")`, which is printed where there are such bits, and only there.
use super::ir::{ExprKind, Index, LoopVariable, Place, Role, Signal, SignalId, Statement};
use super::signals::Scope;
use super::walk::{reads, walk};
use std::collections::BTreeMap;

/// What a comment that gives a reason begins with.
const MARK: &str = "unread ";

/// A vector of which more separate pieces are unread is named as a whole.
const MOST_PIECES: usize = 4;

/// Names, each with the reason why some of its bits may be unread.
pub(super) type Reasons = BTreeMap<String, String>;

/// Bits of a signal, as lowest and width.
pub(super) type Pieces = Vec<(usize, usize)>;

/// What nothing in a module reads.
#[derive(Debug, Default)]
pub(super) struct Unread {
    /// Fields of bundles that nothing reads, and outputs of parts of which some are read.
    pub(super) spare: BTreeMap<SignalId, Pieces>,
    /// Signals whose bits have a reason to be unread.
    pub(super) others: BTreeMap<SignalId, Pieces>,
    /// Why, by name.
    pub(super) reasons: Reasons,
}

/// Takes the reasons out of a module's logic.
pub(super) fn take_reasons(logic: Vec<Statement>) -> (Vec<Statement>, Reasons) {
    let mut reasons = Reasons::new();
    (without_reasons(logic, &mut reasons), reasons)
}

fn without_reasons(block: Vec<Statement>, reasons: &mut Reasons) -> Vec<Statement> {
    let rest = |statement: Statement| statement.with_blocks(|block| without_reasons(block, reasons));
    let mut kept: Vec<_> = block.into_iter().map(rest).collect();
    kept.retain(|statement| {
        let Statement::Comment(text) = statement else { return true };
        let Some((names, why)) = text.trim().strip_prefix(MARK).and_then(|text| text.split_once(": ")) else {
            return true;
        };
        reasons.extend(names.split(", ").map(|name| (name.to_owned(), why.to_owned())));
        false
    });
    kept
}

impl Unread {
    /// What `logic` leaves unread, of what has a reason to be.
    pub(super) fn new(scope: &Scope, logic: &[Statement], reasons: Reasons) -> Self {
        // An output that nobody reads is not connected; one of several may be read.
        let is_one_of_several =
            |signal: &Signal| matches!(signal.role, Role::ChildOutput { .. }) && !signal.dims.is_empty();
        let is_field =
            |signal: &Signal| matches!(signal.role, Role::Input | Role::Local) && signal.path.contains('.');
        let may_be_unread = |signal: &Signal| {
            reasons.contains_key(&signal.name) || is_one_of_several(signal) || is_field(signal)
        };
        let mut read: Vec<Option<Vec<bool>>> =
            scope.signals.iter().map(|signal| may_be_unread(signal).then(Vec::new)).collect();
        walk(logic, &mut |statement| {
            if has_effect(scope, statement) {
                reads(statement, &mut |place| {
                    read[place.signal].iter_mut().for_each(|read| mark(scope, place, read));
                });
            }
        });
        let (mut spare, mut others) = (BTreeMap::new(), BTreeMap::new());
        for (id, (signal, read)) in scope.signals.iter().zip(read).enumerate() {
            let Some(read) = read else { continue };
            let pieces = pieces(&read, signal.total());
            if pieces.is_empty() {
                continue;
            }
            if reasons.contains_key(&signal.name) {
                others.insert(id, pieces);
            } else if is_one_of_several(signal) || read.is_empty() {
                spare.insert(id, pieces);
            }
        }
        Self { spare, others, reasons }
    }
}

/// Not a register that keeps its value, nor a condition of nothing: the Verilog need not say so.
fn has_effect(scope: &Scope, statement: &Statement) -> bool {
    let assigns = |block: &[Statement]| {
        let mut assigns = false;
        walk(block, &mut |inner| assigns |= matches!(inner, Statement::Assign { .. }));
        assigns
    };
    match statement {
        Statement::If { then, otherwise, .. } => assigns(then) || assigns(otherwise),
        Statement::Assign { target, value } => match (&scope.signals[target.signal].role, &value.kind) {
            (Role::Next { register }, ExprKind::Place(place)) => {
                scope.signals[place.signal].role != Role::Present { register: *register }
            }
            _ => true,
        },
        _ => true,
    }
}

/// Marks the bits that `place` reads over all values of its loop variables; all, where the circuit chooses.
fn mark(scope: &Scope, place: &Place, read: &mut Vec<bool>) {
    let signal = &scope.signals[place.signal];
    read.resize(signal.total(), false);
    let (offset, width) = place.part.clone().unwrap_or_else(|| {
        let inner: usize = signal.dims.iter().skip(place.indices.len()).product();
        (Index::Number(0), inner * signal.width)
    });
    let mut start = Index::Number(0);
    for (at, &length) in signal.dims.iter().enumerate() {
        start = start.times(length).plus(place.indices.get(at).cloned().unwrap_or(Index::Number(0)));
    }
    start = start.times(signal.width).plus(offset);
    match starts(&start) {
        Some(starts) => starts.iter().for_each(|&from| {
            let end = (from + width).min(read.len());
            read[from.min(end)..end].fill(true);
        }),
        None => read.fill(true),
    }
}

/// All values of `index`; `None` if the circuit decides.
fn starts(index: &Index) -> Option<Vec<usize>> {
    let mut variables: Vec<LoopVariable> = vec![];
    index.variables(&mut variables);
    let mut indices = vec![index.clone()];
    for variable in variables {
        let at = |number| [(variable.id, number)].into_iter().collect();
        indices = indices
            .iter()
            .flat_map(|index| (variable.from..variable.to).map(|number| index.with_numbers(&at(number))))
            .collect();
    }
    indices.iter().map(Index::constant).collect()
}

/// The bits of `total` that are not `read`, as lowest and width.
fn pieces(read: &[bool], total: usize) -> Pieces {
    let mut pieces = Pieces::new();
    for at in (0..total).filter(|&at| read.get(at) != Some(&true)) {
        match pieces.last_mut() {
            Some((from, width)) if *from + *width == at => *width += 1,
            _ => pieces.push((at, 1)),
        }
    }
    if pieces.len() > MOST_PIECES {
        pieces = vec![(0, total)];
    }
    pieces
}
