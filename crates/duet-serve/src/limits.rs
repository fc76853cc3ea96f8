//! How much at a time, and from whom: checks that run, checks that wait, checks of a client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The limits, with what is used of them.
pub struct Limits {
    running: Arc<Semaphore>,
    places: usize,
    used: AtomicUsize,
    per_client: usize,
    clients: Mutex<HashMap<IpAddr, usize>>,
}

/// A place in the queue or at work; free again when it is dropped.
pub struct Place {
    limits: Arc<Limits>,
    client: IpAddr,
}

/// Why there is no place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Full {
    /// All places are taken.
    Queue,
    /// This client has as many as it may.
    Client,
}

impl Limits {
    pub fn new(at_a_time: usize, queue: usize, per_client: usize) -> Limits {
        Limits {
            running: Arc::new(Semaphore::new(at_a_time.max(1))),
            places: at_a_time.max(1) + queue,
            used: AtomicUsize::new(0),
            per_client,
            clients: Mutex::default(),
        }
    }

    /// A place for a client's check.
    pub fn place(self: &Arc<Limits>, client: IpAddr) -> Result<Place, Full> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let own = clients.get(&client).copied().unwrap_or_default();
        if own >= self.per_client {
            return Err(Full::Client);
        }
        if self.used.load(Ordering::Acquire) >= self.places {
            return Err(Full::Queue);
        }
        self.used.fetch_add(1, Ordering::AcqRel);
        clients.insert(client, own + 1);
        Ok(Place { limits: Arc::clone(self), client })
    }

    /// Waits for the turn of a check.
    pub async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.running).acquire_owned().await.ok()
    }

    /// Checks that wait or run.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Acquire)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut clients = self.limits.clients.lock().unwrap_or_else(PoisonError::into_inner);
        self.limits.used.fetch_sub(1, Ordering::AcqRel);
        // A client without checks is forgotten: the table must not grow with visitors.
        match clients.get(&self.client).copied().unwrap_or_default() {
            0 | 1 => clients.remove(&self.client),
            own => clients.insert(self.client, own - 1),
        };
    }
}

/// What is counted, for Prometheus.
#[derive(Default)]
pub struct Counts {
    pub requests: AtomicU64,
    pub checks: AtomicU64,
    pub refused: AtomicU64,
    pub full: AtomicU64,
    pub failed: AtomicU64,
    pub milliseconds: AtomicU64,
}

impl Counts {
    /// The text that Prometheus reads.
    pub fn text(&self, used: usize) -> String {
        let mut text = String::new();
        for (name, kind, value) in [
            ("duet_requests_total", "counter", self.requests.load(Ordering::Relaxed)),
            ("duet_checks_total", "counter", self.checks.load(Ordering::Relaxed)),
            ("duet_refused_total", "counter", self.refused.load(Ordering::Relaxed)),
            ("duet_full_total", "counter", self.full.load(Ordering::Relaxed)),
            ("duet_failed_total", "counter", self.failed.load(Ordering::Relaxed)),
            ("duet_check_milliseconds_total", "counter", self.milliseconds.load(Ordering::Relaxed)),
            ("duet_places_used", "gauge", used as u64),
        ] {
            text.push_str(&format!("# TYPE {name} {kind}\n{name} {value}\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_limited_and_come_back() {
        let limits = Arc::new(Limits::new(1, 2, 2));
        let [a, b]: [IpAddr; 2] = [[127, 0, 0, 1].into(), [127, 0, 0, 2].into()];
        let first = limits.place(a).ok();
        let second = limits.place(a).ok();
        assert_eq!(limits.place(a).err(), Some(Full::Client));
        let third = limits.place(b).ok();
        assert_eq!(limits.place(b).err(), Some(Full::Queue));
        assert!(first.is_some() && second.is_some() && third.is_some());
        drop(first);
        let again = limits.place(b);
        assert!(again.is_ok());
        drop((second, third, again));
        assert_eq!(limits.used(), 0);
        assert!(limits.clients.lock().expect("a table").is_empty());
    }
}
