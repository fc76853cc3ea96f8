//! Connections: so many at a time, and none for longer than it takes to check something. The
//! head of each request must come within a few seconds, so a client that sends it letter by
//! letter, or sends nothing, soon loses its place.

use std::future::Future;
use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// The longest time of a connection.
const LONGEST: Duration = Duration::from_secs(300);

/// A listener that lets so many in.
pub struct Limited {
    tcp: TcpListener,
    free: Arc<Semaphore>,
    head: Duration,
}

impl Limited {
    /// Lets so many connections in, and gives the head of each request so much time.
    pub fn new(tcp: TcpListener, connections: usize, head: Duration) -> Limited {
        Limited { tcp, free: Arc::new(Semaphore::new(connections.max(1))), head }
    }
}

/// Since when the connection waits for the head of a request; `None` while one is answered.
type Waiting = Arc<Mutex<Option<Instant>>>;

/// The other end of a connection.
#[derive(Clone)]
pub struct Peer {
    pub address: SocketAddr,
    waiting: Waiting,
}

impl Peer {
    /// The head of a request has come: until the answer is dropped nothing is waited for.
    pub fn answering(&self) -> Answering {
        set(&self.waiting, None);
        Answering { waiting: Arc::clone(&self.waiting) }
    }
}

/// A request that is being answered; the wait for the next head begins when it is dropped.
pub struct Answering {
    waiting: Waiting,
}

impl Drop for Answering {
    fn drop(&mut self) {
        set(&self.waiting, Some(Instant::now()));
    }
}

fn set(waiting: &Waiting, since: Option<Instant>) {
    *waiting.lock().unwrap_or_else(PoisonError::into_inner) = since;
}

impl Connected<IncomingStream<'_, Limited>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Limited>) -> Peer {
        Peer { address: *stream.remote_addr(), waiting: Arc::clone(&stream.io().waiting) }
    }
}

impl Listener for Limited {
    type Io = Timed;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Timed, SocketAddr) {
        loop {
            let Ok(permit) = Arc::clone(&self.free).acquire_owned().await else {
                std::future::pending::<()>().await;
                continue;
            };
            match self.tcp.accept().await {
                Ok((stream, address)) => {
                    return (Timed::new(stream, self.head, permit), address);
                }
                // Too many open files, most likely: some will be closed.
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
        }
    }

    fn local_addr(&self) -> Result<SocketAddr> {
        self.tcp.local_addr()
    }
}

/// A connection with an end.
pub struct Timed {
    stream: TcpStream,
    end: Pin<Box<Sleep>>,
    /// How long the head of a request may take.
    head: Duration,
    waiting: Waiting,
    /// Wakes the connection when a head is overdue.
    overdue: Pin<Box<Sleep>>,
    _permit: OwnedSemaphorePermit,
}

impl Timed {
    fn new(stream: TcpStream, head: Duration, permit: OwnedSemaphorePermit) -> Timed {
        Timed {
            stream,
            end: Box::pin(sleep(LONGEST)),
            head,
            waiting: Arc::new(Mutex::new(Some(Instant::now()))),
            overdue: Box::pin(sleep(head)),
            _permit: permit,
        }
    }

    /// Is the connection over, or the head of a request overdue? If not, the task is woken when
    /// it will be.
    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        if self.end.as_mut().poll(context).is_ready() {
            return true;
        }
        let since = *self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // While a request is answered the task is woken as well: hyper looks for the next head
        // only then, if it has tried to read before.
        let due = since.unwrap_or_else(Instant::now) + self.head;
        if self.overdue.deadline() != due {
            self.overdue.as_mut().reset(due);
        }
        self.overdue.as_mut().poll(context).is_ready()
    }
}

impl AsyncRead for Timed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        if self.is_late(context) {
            return Poll::Ready(Err(Error::from(ErrorKind::TimedOut)));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Timed {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        if self.end.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(Error::from(ErrorKind::TimedOut)));
        }
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        // The next head is not waited for while an answer is being taken.
        if let Poll::Ready(Ok(_)) = &written {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            *waiting = waiting.map(|_| Instant::now());
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
