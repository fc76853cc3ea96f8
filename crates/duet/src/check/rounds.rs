//! The order in which the kernels of a file get its time.
//!
//! All launches of a program share the time of its file. In a first round each has an equal
//! share of a half of it, so that a few hard ones at the beginning leave none of the others
//! unlooked at; what its share cut short is checked once more, from the start, in what is left.
//! Launches of different kernels come before further launches of the same: those have a part of
//! their check in common, and two workers at it would wait for each other. The first of each
//! kernel is checked for all of them, so most of the first round's time is shared among these.
//!
//! SOUNDNESS: nothing is put together from two checks: the result for a kernel is that of one
//! whole check of it, and a check that its share cut short is no proof
//! (`what_its_share_cut_short_is_done_again_and_kept_at_the_end`).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

use duet_engine::check::Fence;

/// How many times its equal share of the time that is left a kernel may take at last.
const SHARES: usize = 4;

/// The part of the first round for the first launch of each kernel.
const FRESH: (usize, usize) = (4, 5);

/// What came of a kernel in the time it had.
pub struct Tried<R> {
    pub result: R,
    /// Did the time it had end it, before it was decided?
    pub is_cut_short: bool,
}

/// So many kernels for so many workers, until the file's time is over.
pub struct Rounds {
    pub workers: usize,
    /// The numbers of the kernels, in the order in which they are tried.
    pub order: Vec<usize>,
    /// So many at the beginning have nothing in common with one before.
    pub fresh: usize,
    pub fence: Fence,
}

impl Rounds {
    /// Tries each kernel by `attempt` (which has a state of its worker's own, the kernel's
    /// number and its time) and hands what came of it to `done`, once for each. The first
    /// error of each worker ends its part.
    pub fn run<S, R: Send + Sync + Clone, E: Send>(
        &self,
        attempt: impl Fn(&mut Option<S>, usize, Fence) -> Result<Tried<R>, E> + Sync,
        done: impl Fn(usize, R) + Sync,
    ) -> Result<(), E> {
        let &Rounds { workers, ref order, fresh, fence } = self;
        let count = order.len();
        // Where each worker has one kernel, there is nothing to share.
        let first = if count > workers { fence.part(1, 2) } else { fence };
        let leading = if fresh < count { first.part(FRESH.0, FRESH.1) } else { first };
        let open = Mutex::new(vec![]);
        let put_off = |place: usize, result: Option<R>| {
            open.lock().unwrap_or_else(PoisonError::into_inner).push((place, result));
        };
        in_turns(workers, count, &|state, place| {
            let number = order[place];
            let share = match place < fresh {
                true => leading.part(workers, fresh - place),
                false => first.part(workers, count - place),
            };
            if share.is_past() && !fence.is_past() {
                put_off(place, None);
                return Ok(());
            }
            let tried = attempt(state, number, share)?;
            match tried.is_cut_short && share.is_past() && !fence.is_past() {
                true => put_off(place, Some(tried.result)),
                false => done(number, tried.result),
            }
            Ok(())
        })?;
        let mut open = open.into_inner().unwrap_or_else(PoisonError::into_inner);
        open.sort_by_key(|&(place, _)| place);
        in_turns(workers, open.len(), &|state, next| {
            let (place, before) = &open[next];
            let number = order[*place];
            let share = fence.part(SHARES * workers, open.len() - next);
            let result = match before {
                Some(before) if fence.is_past() => before.clone(),
                Some(_) | None => attempt(state, number, share)?.result,
            };
            done(number, result);
            Ok(())
        })
    }
}

/// The order of kernels with these keys: the first with each key, then the second with each;
/// and how many keys there are.
pub fn in_ranks<K: PartialEq>(keys: &[K]) -> (Vec<usize>, usize) {
    let rank = |number: usize| keys[..number].iter().filter(|&key| *key == keys[number]).count();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_cached_key(|&number| (rank(number), number));
    let fresh = (0..keys.len()).filter(|&number| rank(number) == 0).count();
    (order, fresh)
}

/// Each worker takes the next number until there is none.
fn in_turns<S, E: Send>(
    workers: usize,
    count: usize,
    one: &(impl Fn(&mut Option<S>, usize) -> Result<(), E> + Sync),
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut state = None;
        loop {
            let number = next.fetch_add(1, Ordering::SeqCst);
            if number >= count {
                return Ok(());
            }
            one(&mut state, number)?;
        }
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers.min(count)).map(|_| scope.spawn(work)).collect();
        let all = std::iter::once(work()).chain(others.into_iter().map(join));
        all.fold(Ok(()), Result::and)
    })
}

fn join<E>(worker: ScopedJoinHandle<'_, Result<(), E>>) -> Result<(), E> {
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Of the kernels, all but the last take whatever time they have. How often each was
    /// tried, and what was handed over for it: the number of the try, or none if cut short.
    fn tried(count: usize, millis: u64) -> (Vec<usize>, Vec<Vec<Option<usize>>>) {
        let tries: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
        let results: Vec<Mutex<Vec<Option<usize>>>> =
            (0..count).map(|_| Mutex::default()).collect();
        let fence = Fence::after(Some(Duration::from_millis(millis)));
        let attempt = |_: &mut Option<()>, number: usize, share: Fence| {
            let nth = tries[number].fetch_add(1, Ordering::SeqCst) + 1;
            let is_late = share.is_past();
            while number + 1 < count && !share.is_past() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let is_cut_short = is_late || number + 1 < count;
            Ok::<_, ()>(Tried { result: (!is_cut_short).then_some(nth), is_cut_short })
        };
        let done = |number: usize, result| results[number].lock().unwrap().push(result);
        let order = (0..count).collect();
        Rounds { workers: 1, order, fresh: count, fence }.run(attempt, done).unwrap();
        let tries = tries.into_iter().map(AtomicUsize::into_inner).collect();
        (tries, results.into_iter().map(|one| one.into_inner().unwrap()).collect())
    }

    #[test]
    fn an_easy_kernel_behind_hard_ones_has_its_time() {
        let (_, results) = tried(9, 900);
        assert_eq!(results[8], [Some(1)]);
    }

    #[test]
    fn what_its_share_cut_short_is_done_again_and_kept_at_the_end() {
        let (tries, results) = tried(9, 900);
        assert_eq!(tries[0], 2, "the first has time for a second try");
        assert_eq!(tries[8], 1, "what is decided is not done again");
        assert!(results.iter().all(|one| one.len() == 1), "each is handed over once");
        assert!(results[..8].iter().all(|one| one == &[None]), "no proof from a lack of time");
    }

    #[test]
    fn each_key_comes_once_before_one_comes_again() {
        assert_eq!(in_ranks(&["a", "a", "a", "b", "b", "c"]), (vec![0, 3, 5, 1, 4, 2], 3));
        assert_eq!(in_ranks::<u8>(&[]), (vec![], 0));
    }

    #[test]
    fn one_kernel_has_all_the_time_at_once() {
        let (tries, results) = tried(1, 50);
        assert_eq!((tries, results), (vec![1], vec![vec![Some(1)]]));
    }
}
