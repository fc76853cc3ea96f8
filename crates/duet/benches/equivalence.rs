//! What comparisons of kernels cost: for each pair of the table of families the processor time
//! of the search for a difference, of the proof, and of the checks of both kernels; which
//! engine proved it, and how many of its goals needed no solver. Then the bugs of each family:
//! how many a run shows, and the time of the slowest. Prints tables; passes and fails nothing.
//!
//! `cargo bench -p duet --bench equivalence -- [TEXT] [--no-checks] [--no-bugs]`: only pairs
//! whose files' names contain the text.

#[path = "../tests/equiv/table.rs"]
mod table;

use duet_engine::check::{Session, SessionOptions};
use duet_engine::tools::preferred_solver;
use duet_equiv::engines::Proof;
use duet_equiv::pair::request::Request;
use duet_equiv::{Verdict, checks_say, compare, engines_say};

use table::{PAIRS, Pair};

/// Seconds in which a bug is to be shown.
const MOST_OF_BUG: f64 = 0.5;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let has = |name: &str| words.iter().any(|word| word == name);
    let text = words.iter().find(|word| !word.starts_with("--"));
    let is_wanted = |pair: &&Pair| {
        text.is_none_or(|text| pair.files.iter().any(|file| file.contains(text.as_str())))
    };
    let pairs: Vec<&Pair> = PAIRS.iter().filter(is_wanted).collect();
    times_of_proofs(&pairs, !has("--no-checks"));
    if !has("--no-bugs") {
        times_of_bugs(&pairs);
    }
}

fn session() -> Session {
    let options = SessionOptions { solvers: vec![preferred_solver()], ..Default::default() };
    Session::with_options(&options).expect("a solver")
}

fn times_of_proofs(pairs: &[&Pair], with_checks: bool) {
    println!("processor seconds; search and proof together have a limit");
    println!("search  proof   most    checks  goals     engine           pair");
    let mut goals = (0, 0);
    for pair in pairs {
        let files = [0, 1].map(|side: usize| pair.load(side, Pair::path(pair.files[side])));
        let kernels = pair.kernels(&files);
        let (request, mut session) = (pair.request(), session());
        let runs = Request { fixed: true, ..request.clone() };
        let (search, report) = best(|| compare(&mut session, &kernels, &runs));
        let (proof, said) = best(|| engines_say(&kernels, &request));
        let checks = with_checks.then(|| timed(|| checks_say(&mut session, &kernels, &request)));
        let checked = match &checks {
            Some((seconds, Ok(true))) => format!("{seconds:.2}"),
            Some((seconds, _)) => format!("{seconds:.2}!"),
            None => "-".to_string(),
        };
        let own = said.as_ref().map(Proof::without_solver).unwrap_or_default();
        goals = (goals.0 + own.0, goals.1 + own.1);
        let engine = match (&said, report.map(|report| report.verdict)) {
            (_, Ok(Verdict::Different)) => "DIFFERENT".to_string(),
            (Ok(proof), Ok(_)) => proof.engine.clone(),
            (Err(_), _) | (_, Err(_)) if pair.is_gap => "known gap".to_string(),
            (Err(_), _) | (_, Err(_)) => "NOT SHOWN".to_string(),
        };
        let late = if search + proof > pair.most { "!" } else { " " };
        println!(
            "{search:6.3}  {proof:6.3}{late} {:4}  {checked:>8}  {:>8}  {engine:15}  {}",
            pair.most,
            format!("{}/{}", own.1, own.0),
            name(pair)
        );
        for reason in said.err().unwrap_or_default() {
            println!("        because: {reason}");
        }
    }
    let share = 100.0 * goals.1 as f64 / goals.0.max(1) as f64;
    println!("{} of {} goals of proofs without a solver ({share:.1} %)\n", goals.1, goals.0);
}

fn times_of_bugs(pairs: &[&Pair]) {
    let folder = tempfile::tempdir().expect("a folder");
    println!("shown  slowest  pair");
    let (mut all, mut shown, mut in_time) = (0, 0, 0);
    for pair in pairs.iter().filter(|pair| !pair.bugs.is_empty()) {
        let right = std::fs::read_to_string(Pair::path(pair.files[1])).expect("a file");
        let (mut own, mut slowest) = (0, 0.0f64);
        for (from, to) in pair.bugs {
            let path = folder.path().join(pair.files[1]);
            std::fs::write(&path, right.replacen(from, to, 1)).expect("writes");
            let files = [pair.load(0, Pair::path(pair.files[0])), pair.load(1, path)];
            let kernels = pair.kernels(&files);
            let runs = Request { fixed: true, ..pair.request() };
            let mut session = session();
            let (seconds, report) = timed(|| compare(&mut session, &kernels, &runs));
            slowest = slowest.max(seconds);
            match report.is_ok_and(|report| report.verdict == Verdict::Different) {
                true => {
                    own += 1;
                    in_time += usize::from(seconds <= MOST_OF_BUG);
                }
                false => println!("       not shown: {from} -> {to}"),
            }
        }
        all += pair.bugs.len();
        shown += own;
        println!("{own:2}/{:2}  {slowest:7.3}  {}", pair.bugs.len(), name(pair));
    }
    println!("{shown} of {all} bugs are shown, {in_time} of them within {MOST_OF_BUG} s");
}

fn name(pair: &Pair) -> String {
    format!("{} {}", pair.files.join(" "), pair.words().join(" "))
}

/// The best of three, if it is short: what other programs do meanwhile is no part of it.
fn best<T>(mut call: impl FnMut() -> T) -> (f64, T) {
    let mut result = timed(&mut call);
    for _ in 0..2 {
        if result.0 < 1.0 {
            let again = timed(&mut call);
            result = if again.0 < result.0 { again } else { result };
        }
    }
    result
}

/// Processor time, that of solvers included once they have ended.
fn timed<T>(call: impl FnOnce() -> T) -> (f64, T) {
    let start = processor_seconds();
    let result = call();
    (processor_seconds() - start, result)
}

fn processor_seconds() -> f64 {
    let seconds = |who: libc::c_int| {
        // SAFETY: plain data, for which all zeros is a value.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: the pointer is to a variable of this function.
        unsafe { libc::getrusage(who, &mut usage) };
        let of = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        of(usage.ru_utime) + of(usage.ru_stime)
    };
    seconds(libc::RUSAGE_SELF) + seconds(libc::RUSAGE_CHILDREN)
}
