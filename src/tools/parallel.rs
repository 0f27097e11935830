//! Work for all processors.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

/// How many runs go side by side.
pub type Jobs = NonZeroUsize;

/// As many as the machine has processors.
pub fn processors() -> Jobs {
    thread::available_parallelism().unwrap_or(Jobs::MIN)
}

/// Does the work for every item, `jobs` at a time; the results are in the items' order.
///
/// # Errors
/// The first error of any item; what has been begun is finished, nothing else is begun.
pub fn in_parallel<T: Sync, R: Send, E: Send>(
    jobs: Jobs,
    items: &[T],
    work: impl Fn(usize, &T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
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
    let lists = thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.get().min(items.len())).map(|_| scope.spawn(worker)).collect();
        let join = |thread: ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect::<Result<Vec<_>, E>>()
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
        for jobs in [1, 3, 200].into_iter().filter_map(Jobs::new) {
            let squares = in_parallel(jobs, &items, |number, item| Ok::<_, ()>(number * item)).unwrap();
            assert_eq!(squares, items.iter().map(|n| n * n).collect::<Vec<_>>());
            let failed = in_parallel(jobs, &items, |_, &item| match item {
                7 => Err("seven"),
                _ => Ok(item),
            });
            assert_eq!(failed, Err("seven"));
        }
    }
}
