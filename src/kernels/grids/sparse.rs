//! Products of sparse matrices in jagged diagonals, which memory limits, with reuse inside a warp or between warps.

use super::super::float_reference::{dot, exact, uniform};
use super::super::launch::Launch;
use super::super::reference::Reference;
use super::each;
use isa::random::Rng;
use spec::config::CoreConfig;

/// A product of a sparse matrix in jagged diagonals and a vector: the row at each place, the longest first, has what is not 0
/// in the columns that `columns` gives for the place and the row's length.
fn jagged(n: usize, rng: &mut Rng, mut columns: impl FnMut(&mut Rng, usize, usize) -> Vec<u32>) -> Reference {
    let mut own: Vec<(usize, usize)> = (0..n).map(|row| (4 + rng.below(17), row)).collect();
    own.sort_by_key(|&(length, _)| std::cmp::Reverse(length));
    let x = uniform(28, n, -1.0, 1.0);
    let of_rows: Vec<Vec<u32>> =
        own.iter().enumerate().map(|(place, &(length, _))| columns(rng, place, length)).collect();
    // Diagonal after diagonal, each as long as there are rows that have it.
    let (mut starts, mut all) = (vec![], vec![]);
    for k in 0..own[0].0 {
        starts.push(all.len() as u32);
        all.extend(of_rows.iter().map_while(|columns| columns.get(k)));
    }
    let values = uniform(29, all.len(), -1.0, 1.0);
    let mut result = vec![0.0; n];
    for (place, &(length, row)) in own.iter().enumerate() {
        let at = |k: usize| starts[k] as usize + place;
        result[row] = dot((0..length).map(|k| (values[at(k)], x[all[at(k)] as usize])));
    }
    let [lengths, rows] = [|own: &(usize, usize)| own.0 as u32, |own: &(usize, usize)| own.1 as u32]
        .map(|of| own.iter().map(of).collect::<Vec<u32>>());
    let mut reference = exact(&[("values", &values), ("x", &x)], &[("result", &result)]);
    reference.inputs.extend([("starts", starts), ("lengths", lengths), ("rows", rows), ("columns", all)]);
    reference
}

/// What is not 0 is in columns side by side: a thread finds the next one in the line that it has.
pub(in super::super) fn spmv_rows(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    jagged(n, &mut Rng::new(70), |rng, _, length| {
        let first = rng.below(n);
        (0..length).map(|k| ((first + k) % n) as u32).collect()
    })
}

/// Rows beside each other have what is not 0 in the same columns, far from each other: threads share lines.
pub(in super::super) fn spmv_columns(n: u32, _: &CoreConfig) -> Reference {
    let (n, mut own) = (n as usize, vec![]);
    jagged(n, &mut Rng::new(71), |rng, place, length| {
        if place % 128 == 0 {
            own = (0..length).map(|_| rng.below(n) as u32).collect();
        }
        own[..length].to_vec()
    })
}

pub(in super::super) fn spmv_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    vec![each("multiply", n, cfg)]
}
