//! Threads that help a search.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// A thread that helps a search, and what it finds.
pub(crate) struct Helper<'scope, T> {
    thread: ScopedJoinHandle<'scope, ()>,
    found: Arc<Mutex<Option<T>>>,
}

/// Begins with a stack for the deepest recursion; none when the system gives no more threads.
///
/// The work goes without its type, because the code that begins a thread would be compiled for every game again.
pub(crate) fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<Helper<'scope, T>> {
    let found = Arc::new(Mutex::new(None));
    let place = found.clone();
    let work: Box<dyn FnOnce() + Send + 'scope> = Box::new(move || {
        let all = work();
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(all);
    });
    let thread = Builder::new().stack_size(4 << 20).spawn_scoped(scope, work).ok()?;
    Some(Helper { thread, found })
}

impl<T> Helper<'_, T> {
    /// Waits for the thread and takes what it has found; its panic goes on here.
    pub(crate) fn join(self) -> T {
        if let Err(panic) = self.thread.join() {
            resume_unwind(panic);
        }
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner).take();
        found.expect("a thread that has ended without a panic has left what it found")
    }
}
