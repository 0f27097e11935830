//! The order of a module's items: by the steps of its logic, each step below its heading, which stands once.
//!
//! A block that several steps share stands last in the first of them. Inside it a later step has its heading if all that
//! follows the block is as late; else what the heading says stands there without its number. A step of which nothing is left
//! but connections of an instance has its heading among them.
use super::ir::Statement;
use super::module::{Connection, Item};
use super::usage::{is_step, Usage};
use std::collections::HashSet;

/// An item, the position in the logic that it belongs at, and the step and section of that.
struct Placed {
    step: usize,
    section: usize,
    position: usize,
    item: Item,
}

/// The items in order, with headings and gaps between them.
pub(super) fn arrange(ordered: Vec<(usize, Item)>, usage: &Usage) -> Vec<Item> {
    let placed = ordered.into_iter().map(|(position, item)| {
        let write = usage.writes.iter().find(|write| write.position == position);
        let (step, section) = write.map_or((0, 0), |write| (write.step, write.section));
        Placed { step, section, position, item }
    });
    let mut placed: Vec<Placed> = placed.collect();
    let number = |text: &str| usage.headings.iter().position(|heading| *heading == text).map(|at| at + 1);
    let is_shared = |it: &Placed| headings(&it.item).iter().any(|text| number(text) > Some(it.step));
    placed.sort_by_key(|it| (it.step, is_shared(it), it.position));

    let steps: Vec<usize> = placed.iter().map(|it| it.step).collect();
    let mut said: HashSet<String> = HashSet::new();
    let mut items = vec![];
    let mut before: Option<(usize, usize)> = None;
    for (at, Placed { step, section, mut item, .. }) in placed.into_iter().enumerate() {
        if before.is_some_and(|(_, other)| other != section) {
            items.push(Item::Gap);
        }
        if before.is_none_or(|(other, _)| other != step) {
            if let Some(heading) = step.checked_sub(1).and_then(|at| usage.headings.get(at)) {
                if said.insert((*heading).to_owned()) {
                    items.push(Item::Heading((*heading).to_owned()));
                }
            }
        }
        before = Some((step, section));
        let next = steps.get(at + 1).copied().unwrap_or(usize::MAX);
        let mut head = |text: &str| match number(text) {
            // Not a step of the logic's.
            None => Some(text.to_owned()),
            Some(number) if number <= step || said.contains(text) => None,
            Some(number) if number <= next => {
                said.insert(text.to_owned());
                Some(text.to_owned())
            }
            Some(_) => text.split_once('.').map(|(_, words)| words.trim().to_owned()),
        };
        match &mut item {
            Item::Combinational { body, .. } | Item::Clocked { body, .. } => rewrite(body, &mut head),
            Item::Assign { comments, .. } | Item::Generate { comments, .. } => {
                comments.retain(|text| number(text).is_none());
            }
            Item::Instance { comments, connections, .. } | Item::Instances { comments, connections, .. } => {
                comments.retain(|text| number(text).is_none());
                let next = steps[at..].iter().copied().find(|&other| other > step).unwrap_or(usize::MAX);
                let heading = |lost: usize| {
                    let text =
                        (lost < next && !steps.contains(&lost)).then(|| usage.headings[lost - 1].to_owned());
                    text.filter(|text| said.insert(text.clone()))
                };
                inside(connections, step, heading);
            }
            Item::Text(_) | Item::Heading(_) | Item::Gap => {}
        }
        items.push(item);
    }
    items
}

/// Gives the heading of a step that has no item of its own to the first of an instance's connections that are of it, if those
/// behind are as late; `item` is the instance's step.
fn inside(connections: &mut [Connection], item: usize, mut heading: impl FnMut(usize) -> Option<String>) {
    let mut last = item;
    for at in 0..connections.len() {
        let Some(first) = connections[at].step.filter(|&step| step > last) else { continue };
        if connections[at..].iter().all(|it| it.step.is_none_or(|step| step >= first)) {
            connections[at].comment = heading(first);
            last = first;
        }
    }
}

/// The numbered comments inside an item.
fn headings<'a>(item: &'a Item) -> Vec<&'a str> {
    let (Item::Combinational { body, .. } | Item::Clocked { body, .. }) = item else { return vec![] };
    let text = |statement: &'a Statement| match statement {
        Statement::Comment(text) if is_step(text) => Some(text.as_str()),
        _ => None,
    };
    body.iter().filter_map(text).collect()
}

/// Gives each comment of a block its text in this place, or takes it away.
fn rewrite(block: &mut Vec<Statement>, of: &mut dyn FnMut(&str) -> Option<String>) {
    block.retain_mut(|statement| match statement {
        Statement::Comment(text) => match of(text) {
            Some(new) => {
                *text = new;
                true
            }
            None => false,
        },
        _ => true,
    });
}

/// Joins generate loops that follow one another over the same range.
pub(super) fn merge_generates(items: Vec<Item>) -> Vec<Item> {
    let mut merged: Vec<Item> = vec![];
    for item in items {
        if let (
            Some(Item::Generate { comments: said, loops: above, body: into, .. }),
            Item::Generate { comments, loops, body, .. },
        ) = (merged.last_mut(), &item)
        {
            if above == loops && comments.iter().all(|comment| said.contains(comment)) {
                into.extend(body.iter().cloned());
                continue;
            }
        }
        merged.push(item);
    }
    merged
}
