//! Running native work under Python: the interpreter lock is released, Ctrl-C works, errors come back as exceptions.

use kibitz_game::Stop;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often signals are looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// The first exception that ended a piece of work.
#[derive(Clone, Default)]
pub struct Fault(Arc<(AtomicBool, Mutex<Option<PyErr>>)>);

impl Fault {
    /// Keeps an exception, unless there is one already.
    pub fn set(&self, error: PyErr) {
        self.0.1.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.0.0.store(true, Ordering::Relaxed);
    }

    /// Whether an exception is kept.
    pub fn is_set(&self) -> bool {
        self.0.0.load(Ordering::Relaxed)
    }

    /// Raises the exception that is kept.
    pub fn raise(&self) -> PyResult<()> {
        self.0.0.store(false, Ordering::Relaxed);
        self.0.1.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

fn on_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    threading.call_method0("current_thread")?.eq(threading.call_method0("main_thread")?)
}

/// Runs the handlers of signals that have arrived; Ctrl-C's raises.
#[allow(clippy::redundant_closure_for_method_calls)] // the method is not general enough over the lifetime
pub fn signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// Runs `work` without the interpreter lock. `threads` says whether it will spread over several threads.
pub fn run<T: Send>(
    py: Python<'_>,
    fault: &Fault,
    threads: usize,
    work: impl FnOnce(&Stop) -> T + Send,
) -> PyResult<T> {
    let (mut work, mut out) = (Some(work), None);
    run_untyped(py, fault, threads, &mut |stop| out = work.take().map(|work| work(stop)))?;
    Ok(out.expect("work that has not panicked has been done"))
}

/// Work without its type, so that all of this is compiled once and not for every game and method again.
type Work<'a> = &'a mut (dyn FnMut(&Stop) + Send);

fn run_untyped(py: Python<'_>, fault: &Fault, threads: usize, work: Work<'_>) -> PyResult<()> {
    let main = on_main_thread(py)?;
    if threads > 1 {
        watched(py, main, fault, work);
    } else {
        inline(py, main, fault, work);
    }
    fault.raise()
}

/// On this thread, which looks at signals itself.
fn inline(py: Python<'_>, main: bool, fault: &Fault, work: Work<'_>) {
    let stop = if main {
        let begin = Instant::now();
        let last = AtomicU64::new(0);
        let fault = fault.clone();
        let thread = std::thread::current().id();
        Stop::polling(1024, move || {
            // a thread that helps must not take the turn of this one, which alone sees signals
            if std::thread::current().id() != thread {
                return fault.is_set();
            }
            let now = begin.elapsed().as_millis() as u64;
            if now < last.load(Ordering::Relaxed) + PERIOD.as_millis() as u64 {
                return fault.is_set();
            }
            last.store(now, Ordering::Relaxed);
            if let Err(error) = signals() {
                fault.set(error);
            }
            fault.is_set()
        })
    } else {
        let fault = fault.clone();
        Stop::polling(1024, move || fault.is_set())
    };
    py.detach(|| work(&stop));
}

/// On another thread, while this one looks at signals.
fn watched(py: Python<'_>, main: bool, fault: &Fault, work: Work<'_>) {
    let seen = fault.clone();
    let stop = Stop::polling(1024, move || seen.is_set());
    py.detach(|| {
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| work(&stop));
            // short naps first, so that short work is not held up
            let mut nap = Duration::from_micros(50);
            while !worker.is_finished() {
                std::thread::sleep(nap);
                nap = (nap * 2).min(PERIOD);
                if main && let Err(error) = signals() {
                    fault.set(error);
                    stop.raise();
                }
            }
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        });
    });
}
