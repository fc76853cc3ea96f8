//! `duet serve`: a page to paste a kernel into, and the check behind it as an interface of
//! HTTP. A program of its own, so that nothing else is built with what a server needs.
//!
//! | file | holds |
//! |---|---|
//! | this one | options, start and end |
//! | `routes` | what is answered to which request |
//! | `limits` | how much of it at a time, and from whom |
//! | `includes` | which texts may be given to the compiler |
//! | `work` | a check in a process under limits |
//! | `listener` | connections: how many, and how long |
//!
//! Nothing is stored: a kernel lives in a folder that vanishes with its check, and a link holds
//! the text itself.

mod includes;
mod limits;
mod listener;
mod routes;
mod work;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;

/// A page to check kernels on, and the same as an interface of HTTP.
#[derive(Parser, Clone, Debug)]
#[command(name = "duet serve", version)]
pub struct Args {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8321")]
    listen: SocketAddr,
    /// The duet program that checks
    #[arg(long, value_name = "FILE")]
    duet: Option<PathBuf>,
    /// Checks at a time
    #[arg(long, value_name = "COUNT", default_value_t = 2)]
    at_a_time: usize,
    /// Checks that may wait for their turn
    #[arg(long, value_name = "COUNT", default_value_t = 64)]
    queue: usize,
    /// Checks of one client that may wait or run
    #[arg(long, value_name = "COUNT", default_value_t = 8)]
    per_client: usize,
    /// Connections at a time
    #[arg(long, value_name = "COUNT", default_value_t = 512)]
    connections: usize,
    /// Seconds for the head of a request
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    head_seconds: u64,
    /// Seconds for a check
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    seconds: u64,
    /// Megabytes of memory for each process of a check
    #[arg(long, value_name = "MEGABYTES", default_value_t = 4096)]
    memory: u64,
    /// Kilobytes that a request may have
    #[arg(long, value_name = "KILOBYTES", default_value_t = 64)]
    kilobytes: usize,
}

fn main() -> std::process::ExitCode {
    let args = Args::parse();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let result = runtime
        .map_err(|error| error.to_string())
        .and_then(|runtime| runtime.block_on(serve(args)));
    match result {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            std::process::ExitCode::from(4)
        }
    }
}

async fn serve(args: Args) -> Result<(), String> {
    let duet = program(&args)?;
    let tcp = tokio::net::TcpListener::bind(args.listen).await;
    let tcp = tcp.map_err(|error| format!("{}: {error}", args.listen))?;
    let address = tcp.local_addr().map_err(|error| error.to_string())?;
    let head = Duration::from_secs(args.head_seconds.max(1));
    let listener = listener::Limited::new(tcp, args.connections, head);
    let state = Arc::new(routes::State::new(&args, duet));
    // Before it says that it listens: who reads that may end it at once.
    let ended = ended()?;
    // Whoever started the server with port 0 reads here where it is.
    println!("listening on http://{address}/");
    let service = routes::router(state, args.kilobytes)
        .into_make_service_with_connect_info::<listener::Peer>();
    let served = axum::serve(listener, service).with_graceful_shutdown(ended);
    served.await.map_err(|error| error.to_string())
}

/// The program that checks: the one that is named, or the one beside this.
fn program(args: &Args) -> Result<PathBuf, String> {
    let beside = || {
        let own = std::env::current_exe().and_then(|own| own.canonicalize()).ok()?;
        let folder = own.parent()?;
        // An installation has this program in lib/duet and the other in bin.
        let places = [folder.join("duet"), folder.join("../../bin/duet")];
        places.into_iter().find(|place| place.is_file())
    };
    let found = args.duet.clone().or_else(beside);
    found.ok_or_else(|| "the duet program is not beside this one; name it with --duet".to_string())
}

/// What ends when the server is told to: it listens to signals from here on, not from when it is
/// waited for.
fn ended() -> Result<impl Future<Output = ()>, String> {
    use tokio::signal::unix::{SignalKind, signal};
    let told = |kind| signal(kind).map_err(|error| error.to_string());
    let (mut interrupted, mut terminated) =
        (told(SignalKind::interrupt())?, told(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    })
}
