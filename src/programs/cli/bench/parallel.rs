//! Work for all processors.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

/// Does the work for every item, as many at a time as the machine has processors; the results are in the items' order.
///
/// # Errors
/// The first error of any item; what has been begun is finished, nothing else is begun.
pub(super) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(usize, &T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let worker = || {
        let mut done = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { break };
            match work(number, item) {
                Ok(result) => done.push((number, result)),
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(done)
    };
    let processors = thread::available_parallelism().map_or(1, |n| n.get());
    let lists = thread::scope(|scope| {
        let threads: Vec<_> = (0..processors.min(items.len())).map(|_| scope.spawn(worker)).collect();
        let join = |thread: ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect::<anyhow::Result<Vec<_>>>()
    })?;
    let mut done: Vec<_> = lists.into_iter().flatten().collect();
    done.sort_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_errors_end_it() {
        let items: Vec<usize> = (0..100).collect();
        let squares = in_parallel(&items, |number, item| Ok(number * item)).unwrap();
        assert_eq!(squares, items.iter().map(|n| n * n).collect::<Vec<_>>());
        let failed =
            in_parallel(&items, |_, &item| if item == 7 { anyhow::bail!("seven") } else { Ok(item) });
        assert_eq!(failed.unwrap_err().to_string(), "seven");
    }
}
