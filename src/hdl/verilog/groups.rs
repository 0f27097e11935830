//! Fields of equal names, as the arrays that they form.
use super::node::{Kind, Node, Segment};
use foldhash::{HashMap, HashMapExt};

/// Elements of equal names: the array they form.
pub(super) struct Group<'a, T> {
    pub(super) names: Vec<&'a str>,
    pub(super) dims: Vec<usize>,
    pub(super) elements: Vec<T>,
}

/// Sorts `items` into arrays by their paths; an array that is not rectangular is an error.
pub(super) fn group<'a, T: Copy>(
    items: impl Iterator<Item = T>,
    path: impl Fn(T) -> &'a [Segment],
    errors: &mut Vec<String>,
) -> Vec<Group<'a, T>> {
    let mut groups: Vec<Group<T>> = vec![];
    let mut found: HashMap<Vec<&str>, usize> = HashMap::new();
    let mut shapes: Vec<Vec<Vec<usize>>> = vec![];
    for item in items {
        let (mut names, mut indices) = (vec![], vec![]);
        for segment in path(item) {
            match segment {
                Segment::Name(name) => names.push(name.as_str()),
                Segment::Index(index) => indices.push(*index),
            }
        }
        let at = *found.entry(names.clone()).or_insert_with(|| {
            groups.push(Group { names, dims: vec![], elements: vec![] });
            shapes.push(vec![]);
            groups.len() - 1
        });
        groups[at].elements.push(item);
        shapes[at].push(indices);
    }
    for (group, shape) in groups.iter_mut().zip(shapes) {
        let last = shape.last().cloned().unwrap_or_default();
        group.dims = last.iter().map(|index| index + 1).collect();
        let rectangular = shape.iter().all(|indices| indices.len() == last.len())
            && group.dims.iter().product::<usize>() == shape.len();
        if !rectangular {
            errors.push(format!("array `{}` is not rectangular", group.names.join(".")));
        }
    }
    groups
}

/// What must be alike in the blocks of an array.
pub(super) fn shape(node: &Node) -> impl Iterator<Item = (&[Segment], usize, Kind)> {
    let ports = node.atoms.iter().filter(|atom| matches!(atom.kind, Kind::In | Kind::Out));
    ports.map(|atom| (&atom.path[..], atom.width, atom.kind))
}
