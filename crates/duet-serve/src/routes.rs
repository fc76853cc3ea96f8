//! What is answered to which request.

use std::future::poll_fn;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Args;
use crate::includes;
use crate::limits::{Counts, Full, Limits};
use crate::listener::Peer;
use crate::work::{self, Job, Means};

const PAGE: &str = include_str!("../page/index.html");
/// How long a client may take to send a request.
const SENDING: Duration = Duration::from_secs(20);
/// How much of a request that is too large is read at all.
const MOST_READ: usize = 64 << 20;
/// Sizes that a launch may be given.
const SIZES: [(&str, &str); 2] = [("block_dim", "--block-dim"), ("grid_dim", "--grid-dim")];

/// Examples of the page: name, language, text.
const EXAMPLES: &[(&str, &str, &str)] = &[
    ("a race and its barrier", "cuda", include_str!("../page/race.cu")),
    ("a sum of a block, proved", "cuda", include_str!("../page/sum.cu")),
    ("neighbours, in OpenCL", "opencl", include_str!("../page/neighbours.cl")),
];

/// What all requests share.
pub struct State {
    duet: PathBuf,
    means: Means,
    limits: Arc<Limits>,
    counts: Counts,
}

impl State {
    pub fn new(args: &Args, duet: PathBuf) -> State {
        State {
            duet: work::whole(duet),
            means: Means { seconds: args.seconds, memory: args.memory },
            limits: Arc::new(Limits::new(args.at_a_time, args.queue, args.per_client)),
            counts: Counts::default(),
        }
    }
}

/// The routes.
pub fn router(state: Arc<State>, kilobytes: usize) -> Router {
    Router::new()
        .route("/", get(|| async { Html(PAGE) }))
        .route("/health", get(|| async { "ok\n" }))
        .route("/metrics", get(metrics))
        .route("/api/examples", get(|| async { axum::Json(examples()) }))
        .route("/api/check", post(check))
        .route("/api/report", post(report))
        .layer(DefaultBodyLimit::max(kilobytes << 10))
        .layer(from_fn_with_state(kilobytes << 10, in_time))
        .layer(from_fn_with_state(Arc::clone(&state), counted))
        .with_state(state)
}

async fn counted(
    Shared(state): Shared<Arc<State>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let _answering = peer.answering();
    state.counts.requests.fetch_add(1, Ordering::Relaxed);
    let mut answer = next.run(request).await;
    let headers = answer.headers_mut();
    // Nothing from elsewhere, no frame of others; the report is shown in a frame of ours.
    let policy = "default-src 'self'; script-src 'self' 'unsafe-inline'; \
                  style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'";
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// The body is read before a place is asked for, and in time.
async fn in_time(Shared(most): Shared<usize>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let length = parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let length = length.and_then(|length| length.parse::<usize>().ok());
    if length.is_some_and(|length| length > MOST_READ) {
        return problem(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large");
    }
    match tokio::time::timeout(SENDING, whole(body, most)).await {
        Ok(Some(bytes)) => next.run(Request::from_parts(parts, bytes.into())).await,
        Ok(None) => problem(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large"),
        Err(_) => problem(StatusCode::REQUEST_TIMEOUT, "the request did not come in time"),
    }
}

/// The whole body, if it has at most so many bytes. Of a longer one the rest is read, so that
/// the client hears the answer, and not kept.
async fn whole(mut body: Body, most: usize) -> Option<Vec<u8>> {
    let (mut bytes, mut length) = (vec![], 0usize);
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let Ok(data) = frame.ok()?.into_data() else { continue };
        length += data.len();
        match length {
            _ if length <= most => bytes.extend_from_slice(&data),
            _ if length <= MOST_READ => bytes.clear(),
            _ => return None,
        }
    }
    (length <= most).then_some(bytes)
}

async fn metrics(Shared(state): Shared<Arc<State>>) -> impl IntoResponse {
    let kind = (header::CONTENT_TYPE, "text/plain; version=0.0.4");
    ([kind], state.counts.text(state.limits.used()))
}

fn examples() -> Value {
    let example = |(name, language, text): &(&str, &str, &str)| json!({ "name": name, "language": language, "source": text });
    EXAMPLES.iter().map(example).collect()
}

fn problem(status: StatusCode, message: &str) -> Response {
    (status, axum::Json(json!({ "error": message }))).into_response()
}

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    source: String,
    language: String,
    #[serde(default)]
    block_dim: String,
    #[serde(default)]
    grid_dim: String,
}

impl Question {
    /// The question as a job, or what is wrong with it.
    fn job(self, format: &str) -> Result<Job, String> {
        let name = work::file_name(&self.language);
        let name = name.ok_or_else(|| "the language is `cuda` or `opencl`".to_string())?;
        if let Some(why) = includes::refused(&self.source) {
            return Err(why);
        }
        let mut options = vec![format!("--format={format}")];
        for ((field, option), size) in SIZES.iter().zip([&self.block_dim, &self.grid_dim]) {
            let is_size = |letter: char| letter.is_ascii_digit() || "*,[] ".contains(letter);
            if size.len() > 40 || !size.chars().all(is_size) {
                return Err(format!("{field}: no size"));
            }
            if !size.trim().is_empty() {
                options.push(format!("{option}={}", size.trim()));
            }
        }
        Ok(Job { text: self.source, name, options })
    }
}

async fn check(
    Shared(state): Shared<Arc<State>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    match checked(&state, peer, &headers, &body, "json").await {
        Ok(output) => match serde_json::from_str::<Value>(&output) {
            Ok(report) => axum::Json(report).into_response(),
            Err(_) => failed(&state),
        },
        Err(answer) => answer,
    }
}

async fn report(
    Shared(state): Shared<Arc<State>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    match checked(&state, peer, &headers, &body, "html").await {
        Ok(output) if !output.is_empty() => Html(output).into_response(),
        Ok(_) => failed(&state),
        Err(answer) => answer,
    }
}

fn failed(state: &State) -> Response {
    state.counts.failed.fetch_add(1, Ordering::Relaxed);
    problem(StatusCode::UNPROCESSABLE_ENTITY, "the check ended without a result: a limit, perhaps")
}

/// Checks what a request asks for; what is printed, or what to answer instead.
async fn checked(
    state: &Arc<State>,
    peer: Peer,
    headers: &HeaderMap,
    body: &[u8],
    format: &str,
) -> Result<String, Response> {
    let refused = |message: &str| {
        state.counts.refused.fetch_add(1, Ordering::Relaxed);
        problem(StatusCode::BAD_REQUEST, message)
    };
    // A form of another page cannot send this type.
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if !kind.is_some_and(|kind| kind.starts_with("application/json")) {
        return Err(refused("the request is not of type application/json"));
    }
    let question: Question =
        serde_json::from_slice(body).map_err(|error| refused(&error.to_string()))?;
    let job = question.job(format).map_err(|why| refused(&why))?;
    let place = state.limits.place(peer.address.ip()).map_err(|full| {
        state.counts.full.fetch_add(1, Ordering::Relaxed);
        let (status, why) = match full {
            Full::Queue => (StatusCode::SERVICE_UNAVAILABLE, "too many checks wait; try again"),
            Full::Client => (StatusCode::TOO_MANY_REQUESTS, "too many checks of yours wait"),
        };
        let mut answer = problem(status, why);
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        answer
    })?;
    let turn = state.limits.turn().await;
    let (duet, means) = (state.duet.clone(), state.means);
    let begun = Instant::now();
    // The place is kept until the process has ended, even if the client is gone.
    let done = tokio::task::spawn_blocking(move || {
        let done = work::check(&duet, &job, means);
        drop((turn, place));
        done
    });
    let done = done.await;
    state.counts.checks.fetch_add(1, Ordering::Relaxed);
    let took = begun.elapsed().as_millis() as u64;
    state.counts.milliseconds.fetch_add(took, Ordering::Relaxed);
    match done {
        // Codes of 4 and more say that nothing was checked.
        Ok(Ok(finished)) if finished.code.is_some_and(|code| code <= 3) => Ok(finished.output),
        Ok(Ok(_) | Err(_)) | Err(_) => Err(failed(state)),
    }
}
