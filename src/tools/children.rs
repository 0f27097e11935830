//! Programs that this one runs, none of which outlives it.

use std::collections::HashSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use files::{none_half_written, remove_scratch};
use rustix::process::{kill_process_group, Pid, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// How long they may take to remove their temporary files before they are killed.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Children {
    /// Each leads a process group of its own, in which are the programs that it runs.
    leaders: HashSet<Pid>,
    /// Whether somebody ends them when a signal ends this process.
    watched: bool,
    /// Whether this process ends: no other program begins.
    ending: bool,
}

static CHILDREN: LazyLock<Mutex<Children>> = LazyLock::new(Mutex::default);
static ENDED: Condvar = Condvar::new();

fn children() -> MutexGuard<'static, Children> {
    // Every change is one step, so that a panic leaves nothing half done.
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on a signal that ends this process (Ctrl-C, SIGTERM, SIGHUP) first ends all that [`output`] runs, and
/// removes the scratch directories. The process then ends by that signal, as it would have without: a shell shows 128 and its number, 130 for Ctrl-C.
///
/// # Errors
/// The system takes no handler.
pub fn end_with_this_process() -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    children().watched = true;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end_all();
            remove_scratch();
            let _none = none_half_written();
            // It returns only if the signal does not end a process, and these do.
            let _ = emulate_default_handler(signal);
        }
    });
    Ok(())
}

fn end_all() {
    let send = |children: &Children, signal| {
        for &leader in &children.leaders {
            // It may have ended by itself.
            let _ = kill_process_group(leader, signal);
        }
    };
    let mut children = children();
    children.ending = true;
    send(&children, Signal::TERM);
    let waited = ENDED.wait_timeout_while(children, PATIENCE, |children| !children.leaders.is_empty());
    let (children, _) = waited.unwrap_or_else(PoisonError::into_inner);
    send(&children, Signal::KILL);
    // Nobody gets the lock any more, so that nothing begins.
    std::mem::forget(children);
}

/// Runs a program to its end, as [`Command::output`] does.
///
/// # Errors
/// It cannot be run.
pub fn output(command: &mut Command) -> io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut children = unless_ending(children());
    if children.watched {
        command.process_group(0);
    }
    let child = command.spawn()?;
    let leader = Pid::from_child(&child);
    if children.watched {
        children.leaders.insert(leader);
    }
    drop(children);
    let output = child.wait_with_output();
    let mut children = self::children();
    children.leaders.remove(&leader);
    ENDED.notify_all();
    drop(unless_ending(children));
    output
}

/// Whoever would go on while the process ends waits for that.
fn unless_ending(children: MutexGuard<'_, Children>) -> MutexGuard<'_, Children> {
    if children.ending {
        drop(children);
        loop {
            thread::park();
        }
    }
    children
}
