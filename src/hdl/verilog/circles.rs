//! Circles in a graph.
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Strongly connected components of more than one node, by Tarjan's method without recursion.
pub(super) fn circles(follow: &BTreeMap<usize, BTreeSet<usize>>) -> Vec<Vec<usize>> {
    let next = |node: usize| -> Vec<usize> { follow.get(&node).into_iter().flatten().copied().collect() };
    let (mut number, mut low): (HashMap<usize, usize>, HashMap<usize, usize>) = Default::default();
    let (mut path, mut on_path) = (vec![], BTreeSet::new());
    let mut circles = vec![];
    for &start in follow.keys() {
        if number.contains_key(&start) {
            continue;
        }
        let mut calls: Vec<(usize, Vec<usize>)> = vec![];
        let mut enter = Some(start);
        loop {
            if let Some(node) = enter.take() {
                low.insert(node, number.len());
                number.insert(node, number.len());
                path.push(node);
                on_path.insert(node);
                calls.push((node, next(node)));
            }
            let Some((node, rest)) = calls.last_mut() else { break };
            let node = *node;
            if let Some(other) = rest.pop() {
                if !number.contains_key(&other) {
                    enter = Some(other);
                } else if on_path.contains(&other) {
                    let reached = number[&other].min(low[&node]);
                    low.insert(node, reached);
                }
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                let reached = low[caller].min(low[&node]);
                low.insert(*caller, reached);
            }
            if low[&node] == number[&node] {
                let from = path.iter().position(|other| *other == node).unwrap_or(0);
                let circle = path.split_off(from);
                circle.iter().for_each(|other| {
                    on_path.remove(other);
                });
                if circle.len() > 1 {
                    circles.push(circle);
                }
            }
        }
    }
    circles
}
