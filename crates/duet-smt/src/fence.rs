//! The wall clock as a fence.
//!
//! Budgets count work, so that a result is the same on a busy machine. The clock only
//! ends what would keep the user waiting for too long, and what is ended by it is
//! reported as such. Nothing else may be decided by the time that something took.

use std::time::{Duration, Instant};

/// A moment after which nothing more is worked out. It never moves back: what is past it
/// once stays past it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fence(Option<Instant>);

impl Fence {
    /// No fence at all.
    pub const NONE: Fence = Fence(None);

    /// So long from now; a limit that the clock cannot express is none.
    pub fn after(limit: Option<Duration>) -> Fence {
        Fence(limit.and_then(|limit| Instant::now().checked_add(limit)))
    }

    /// Is it past?
    pub fn is_past(self) -> bool {
        self.0.is_some_and(|moment| Instant::now() >= moment)
    }

    /// The moment, if there is a fence.
    pub fn moment(self) -> Option<Instant> {
        self.0
    }

    /// The time until then; none at all if it is past, and no end without a fence.
    pub fn left(self) -> Duration {
        let left = |moment: Instant| moment.saturating_duration_since(Instant::now());
        self.0.map_or(Duration::MAX, left)
    }

    /// The moment by which so large a part of the time from now to the fence is over; the
    /// fence itself if the part is the whole or more.
    pub fn part(self, part: usize, of: usize) -> Fence {
        let now = Instant::now();
        let own = self.0.map(|moment| {
            let share = (part as f64 / of.max(1) as f64).clamp(0.0, 1.0);
            now + moment.saturating_duration_since(now).mul_f64(share)
        });
        Fence(own).nearer(self)
    }

    /// The nearer one of two.
    pub fn nearer(self, other: Fence) -> Fence {
        match (self.0, other.0) {
            (Some(one), Some(two)) => Fence(Some(one.min(two))),
            (one, two) => Fence(one.or(two)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fence;
    use std::time::Duration;

    #[test]
    fn the_nearer_fence_counts() {
        let (now, later) =
            (Fence::after(Some(Duration::ZERO)), Fence::after(Some(Duration::from_secs(3600))));
        assert!(now.is_past() && !later.is_past() && !Fence::NONE.is_past());
        assert!(now.nearer(later).is_past() && later.nearer(now).is_past());
        assert!(Fence::NONE.nearer(now).is_past() && !later.nearer(Fence::NONE).is_past());
        let part = later.part(1, 4).moment().expect("a moment");
        let from_now = part.saturating_duration_since(std::time::Instant::now());
        assert!(from_now <= Duration::from_secs(900) && from_now > Duration::from_secs(800));
        assert_eq!((later.part(5, 4), Fence::NONE.part(1, 4)), (later, Fence::NONE));
        assert!(now.part(1, 4).is_past());
        assert_eq!((now.left(), Fence::NONE.left()), (Duration::ZERO, Duration::MAX));
        assert!(!Fence::after(None).is_past() && !Fence::after(Some(Duration::MAX)).is_past());
    }
}
