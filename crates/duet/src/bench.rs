//! `duet bench`: a folder of kernels, each checked in a process of its own.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use duet_bench::{
    Configuration, Limits, Observer, Outcome, Plan, Record, ResultFile, Results, Search, Shard,
    Store, Study, Summary, compare, find_kernels, read_results, render_csv, run, write_file,
    write_results,
};
use duet_engine::check::{inference_rules, installed_solvers, log_rules};
use indicatif::{ProgressBar, ProgressStyle};

use crate::exit::Exit;
use crate::output;

/// Options of `duet bench`.
#[derive(clap::Args)]
pub struct Args {
    /// A folder of CUDA (.cu) and OpenCL (.cl) files, or one file
    folder: PathBuf,
    /// Only files whose path below the folder contains this (may be repeated: any of them)
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Only one part of the files, as in 3/16; which file is in which part depends on its
    /// contents alone
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    /// How many kernels are checked at a time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// Seconds for each file, after which it is ended
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = positive_seconds)]
    timeout: Duration,
    /// Megabytes for each process
    #[arg(long, value_name = "MB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(64..))]
    memory: u64,

    /// Keep results in this folder as they come; what is there already is not run again
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write all results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write all results as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// List what changed since an earlier run (its JSON, or its folder)
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Run a study instead of a plain run (may be repeated)
    #[arg(long, value_name = "NAME", value_parser = study)]
    study: Vec<Study>,
    /// Write the pages of studies into this folder, as Markdown and HTML
    #[arg(long, value_name = "DIR", requires = "study")]
    pages: Option<PathBuf>,
    /// List every file, not only those that are not proved
    #[arg(long)]
    all: bool,
    /// End with exit code 1 if there is such a file: `refuted`, `unproven`, `no-verdict`,
    /// `lost-proof` (proved in the run of --compare); a file whose findings are all accepted is
    /// neither refuted nor unproven here
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    fail_on: Vec<FailOn>,

    /// Options of `duet check`, added to those in each file's header
    #[arg(last = true, value_name = "OPTION")]
    options: Vec<String>,
}

/// What a run is not to have.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum FailOn {
    Refuted,
    Unproven,
    NoVerdict,
    LostProof,
}

impl FailOn {
    /// Does the run have it?
    fn is_in(self, records: &[Record], old: Option<&[Record]>) -> bool {
        let has = |outcome| records.iter().any(|one| one.outcome == outcome && !one.accepted);
        match self {
            FailOn::Refuted => has(Outcome::Refuted),
            FailOn::Unproven => has(Outcome::Unproven),
            FailOn::NoVerdict => records.iter().any(|one| !one.outcome.is_verdict()),
            FailOn::LostProof => {
                old.is_some_and(|old| compare(old, records).lost().next().is_some())
            }
        }
    }
}

fn positive_seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0);
    let duration = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    duration.ok_or_else(|| "a positive number of seconds".to_string())
}

fn study(name: &str) -> Result<Study, String> {
    let names = Study::ALL.map(Study::name).join(", ");
    let found = Study::ALL.into_iter().find(|study| study.name() == name);
    found.ok_or_else(|| format!("one of {names}"))
}

/// Runs the command.
pub fn bench(args: &Args) -> Exit {
    match try_bench(args) {
        Ok(exit) => exit,
        Err(message) => {
            eprintln!("error: {message}");
            Exit::Usage
        }
    }
}

fn try_bench(args: &Args) -> Result<Exit, String> {
    if args.fail_on.contains(&FailOn::LostProof) && args.compare.is_none() {
        return Err("--fail-on=lost-proof needs --compare: lost since when?".to_string());
    }
    let old = args.compare.as_deref().map(read_results).transpose().map_err(|e| e.to_string())?;
    let search = search(args)?;
    let mut store = match &args.out {
        Some(folder) => Store::open(folder).map_err(|error| error.to_string())?,
        None => Store::nowhere(),
    };
    if !args.study.is_empty() {
        return run_studies(args, &search, &mut store);
    }
    let configuration =
        Configuration { options: args.options.clone(), ..Configuration::new("default", &[]) };
    let plan = plan(args, &search, "check", vec![configuration])?;
    let start = Instant::now();
    let results = run(&plan, &mut store, &Progress::new(plan.files.len()));
    let file = result_file(args, &plan, &search, &results, start.elapsed());
    print_results(args, &file);
    if let Some(old) = &old {
        output::print(&format!("\n{}", compare(old, &file.records).to_text()));
    }
    let kept = keep(args, &file) && results.not_kept.is_none();
    let fails = args.fail_on.iter().any(|what| what.is_in(&file.records, old.as_deref()));
    let is_wrong = fails || file.records.iter().any(Record::contradicts);
    Ok(match (kept, is_wrong) {
        (false, _) => Exit::Internal,
        (true, true) => Exit::Refuted,
        (true, false) => Exit::Proved,
    })
}

/// Runs the studies one after the other; prints their tables.
fn run_studies(args: &Args, search: &Search, store: &mut Store) -> Result<Exit, String> {
    let rules = studied_rules(&args.options);
    let solvers: Vec<String> = installed_solvers().into_iter().map(str::to_string).collect();
    let mut exit = Exit::Proved;
    for study in &args.study {
        let mut configurations = study.configurations(&rules, &solvers);
        for one in &mut configurations {
            one.options.splice(0..0, args.options.iter().cloned());
        }
        let plan = plan(args, search, study.command(), configurations)?;
        let work = plan.files.len() * plan.configurations.len();
        let results = run(&plan, store, &Progress::new(work));
        let page = study.page(&rules, &results.records);
        output::print(&format!("{}\n", page.to_markdown()));
        if let Some(folder) = &args.pages {
            let path = folder.join(study.name());
            let written = std::fs::create_dir_all(folder)
                .map_err(|error| format!("{}: {error}", folder.display()))
                .and_then(|()| {
                    write_file(&path.with_extension("md"), &page.to_markdown())
                        .and_then(|()| write_file(&path.with_extension("html"), &page.to_html()))
                        .map_err(|error| error.to_string())
                });
            if let Err(error) = written {
                eprintln!("error: {error}");
                exit = Exit::Internal;
            }
        }
        if results.not_kept.is_some() {
            exit = Exit::Internal;
        }
    }
    Ok(exit)
}

/// The rules that guess loop invariants; those about logs only if logs are asked for.
fn studied_rules(options: &[String]) -> Vec<String> {
    let chosen = options.iter().rev().find_map(|one| one.strip_prefix("--race-instrumenter="));
    let about_logs = log_rules().into_iter().map(|(name, _)| name);
    let about_logs = about_logs.filter(|_| chosen.is_some_and(|name| name != "pairs"));
    inference_rules().into_iter().chain(about_logs).map(str::to_string).collect()
}

fn search(args: &Args) -> Result<Search, String> {
    if !args.folder.exists() {
        return Err(format!("{}: no such file or folder", args.folder.display()));
    }
    let mut search = find_kernels(&args.folder);
    let wanted = |name: &str| args.filter.iter().any(|text| name.contains(text.as_str()));
    search.files.retain(|file| args.filter.is_empty() || wanted(&file.name));
    if let Some(shard) = args.shard {
        // A part may be empty: it is one of many, and the others have the files.
        search.files.retain(|file| shard.holds(file));
        return Ok(search);
    }
    match search.files.is_empty() && search.problems.is_empty() {
        true => Err(format!("{}: no kernel files", args.folder.display())),
        false => Ok(search),
    }
}

fn plan(
    args: &Args,
    search: &Search,
    command: &'static str,
    configurations: Vec<Configuration>,
) -> Result<Plan, String> {
    let program = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
    Ok(Plan {
        program,
        command,
        files: search.files.clone(),
        configurations,
        limits: Limits { wall: args.timeout, memory_mb: args.memory },
        jobs: args.jobs.map_or(cores, |jobs| jobs as usize),
    })
}

fn result_file(
    args: &Args,
    plan: &Plan,
    search: &Search,
    results: &Results,
    took: Duration,
) -> ResultFile {
    ResultFile {
        version: 1,
        folder: args.folder.display().to_string(),
        duet: env!("CARGO_PKG_VERSION").to_string(),
        seconds: took.as_secs_f64(),
        jobs: plan.jobs,
        problems: search.problems.clone(),
        records: results.records.clone(),
    }
}

fn print_results(args: &Args, file: &ResultFile) {
    let mut text = String::new();
    for record in &file.records {
        if args.all || record.outcome != Outcome::Proved {
            text.push_str(&line(record));
        }
    }
    let summary = Summary::new(&file.records);
    text.push_str(&format!("\n{}\n{}", summary.verdict_table().to_text(), summary.notes()));
    text.push_str(&format!("this run: {:.1} s, {} at a time\n", file.seconds, file.jobs));
    for problem in &file.problems {
        text.push_str(&format!("not looked into: {problem}\n"));
    }
    output::print(&text);
}

/// `dir/k.cu: unproven, 0.12 s: write-write-race: two threads ...`.
fn line(record: &Record) -> String {
    let wrong = match (record.contradicts(), record.accepted) {
        (true, _) => " (WRONG)",
        (false, true) => " (accepted)",
        (false, false) => "",
    };
    let Record { file, outcome, seconds, reason, .. } = record;
    let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    format!("{file}: {}{wrong}, {seconds:.2} s{reason}\n", outcome.word())
}

/// Writes the files that were asked for; says whether all could be written.
fn keep(args: &Args, file: &ResultFile) -> bool {
    let in_folder = args.out.as_deref().map(|folder| (folder, "results"));
    let mut written = vec![];
    let mut json = |path: &Path| written.push(write_results(path, file));
    in_folder.iter().for_each(|(folder, name)| json(&folder.join(name).with_extension("json")));
    args.json.iter().for_each(|path| json(path));
    let text = render_csv(&file.records);
    let mut csv = |path: &Path| written.push(write_file(path, &text));
    in_folder.iter().for_each(|(folder, name)| csv(&folder.join(name).with_extension("csv")));
    args.csv.iter().for_each(|path| csv(path));
    let errors: Vec<_> = written.into_iter().filter_map(Result::err).collect();
    errors.iter().for_each(|error| eprintln!("error: {error}"));
    errors.is_empty()
}

/// A bar on a terminal; elsewhere only problems are shown.
pub struct Progress {
    bar: ProgressBar,
    proved: std::sync::atomic::AtomicUsize,
}

impl Progress {
    /// Nothing done of so much.
    pub fn new(all: usize) -> Progress {
        let bar = match std::io::stderr().is_terminal() {
            true => ProgressBar::new(all as u64),
            false => ProgressBar::hidden(),
        };
        let template = "{bar:30} {pos} of {len}, {msg} ({elapsed}, left {eta})";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Progress { bar, proved: 0.into() }
    }
}

impl Observer for Progress {
    fn finished(&self, record: &Record, _is_old: bool) {
        use std::sync::atomic::Ordering::Relaxed;
        if record.outcome == Outcome::Proved {
            self.proved.fetch_add(1, Relaxed);
        }
        self.bar.set_message(format!("{} proved; {}", self.proved.load(Relaxed), record.file));
        self.bar.inc(1);
    }

    fn problem(&self, what: &str) {
        self.bar.suspend(|| eprintln!("warning: {what}"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
