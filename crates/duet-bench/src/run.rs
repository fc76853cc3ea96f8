//! Running all files under all configurations, several at a time.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::corpus::{KernelFile, fingerprint};
use crate::limits::Limits;
use crate::outcome::{judge, not_run};
use crate::process::run_limited;
use crate::record::{KernelRecord, Record};
use crate::store::Store;

/// A way to check kernels: a name, and the options that make it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// What tables call it.
    pub name: String,
    /// Options of `duet check`, added to those in each header.
    pub options: Vec<String>,
    /// It is for files only whose text has this in it, if anything.
    pub needs: Option<String>,
}

impl Configuration {
    /// A configuration.
    pub fn new(name: &str, options: &[&str]) -> Configuration {
        let options = options.iter().map(|option| option.to_string()).collect();
        Configuration { name: name.to_string(), options, needs: None }
    }

    /// The same for files only whose text has this in it.
    pub fn needing(self, text: &str) -> Configuration {
        Configuration { needs: Some(text.to_string()), ..self }
    }

    /// Is it for the file?
    fn is_for(&self, file: &KernelFile) -> bool {
        let Some(needs) = &self.needs else { return true };
        std::fs::read_to_string(&file.path).is_ok_and(|text| text.contains(needs.as_str()))
    }
}

/// What is to be run, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The `duet` program.
    pub program: PathBuf,
    /// Its command: `check` or `prove`.
    pub command: &'static str,
    /// The files.
    pub files: Vec<KernelFile>,
    /// The configurations. A file is run under all of them, one after the other, so
    /// that times can be compared.
    pub configurations: Vec<Configuration>,
    /// What each check may cost.
    pub limits: Limits,
    /// How many processes run at a time.
    pub jobs: usize,
}

/// Is told what happens. Called from several threads.
pub trait Observer: Sync {
    /// A file is taken up.
    fn started(&self, _file: &str) {}
    /// A file is done; `is_old` if its result was there already.
    fn finished(&self, _record: &Record, _is_old: bool) {}
    /// Something is wrong that concerns the run and not a kernel.
    fn problem(&self, _what: &str) {}
}

/// Everything that came of a run.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// By file, then in the order of the configurations.
    pub records: Vec<Record>,
    /// Why results could not be kept on disk, if so; the records here are complete.
    pub not_kept: Option<String>,
}

/// Runs everything. Results that `store` holds already are not run again; new ones
/// are added to it as they come.
pub fn run(plan: &Plan, store: &mut Store, observer: &dyn Observer) -> Results {
    let program = program_fingerprint(plan);
    let work: Vec<(&KernelFile, &Configuration)> = plan
        .files
        .iter()
        .flat_map(|file| plan.configurations.iter().map(move |one| (file, one)))
        .collect();
    let slots: Vec<Mutex<Option<Record>>> = work.iter().map(|_| Mutex::new(None)).collect();
    let keeper = Keeper { store: Mutex::new(store), not_kept: Mutex::new(None), observer };
    // A worker takes a whole file: its configurations are to run side by side in
    // time, not at the same time.
    let next = AtomicUsize::new(0);
    let many = plan.configurations.len().max(1);
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let first = next.fetch_add(1, Ordering::SeqCst) * many;
                    if first >= work.len() {
                        return;
                    }
                    for number in first..first + many {
                        let (file, configuration) = work[number];
                        if !configuration.is_for(file) {
                            continue;
                        }
                        let key = key_of(plan, file, configuration, &program);
                        let record = keeper.known_or(file, configuration, &key, || {
                            check(plan, file, configuration, key.clone())
                        });
                        *lock(&slots[number]) = Some(record);
                    }
                }
            });
        }
    });
    let records = slots.into_iter().filter_map(|slot| slot.into_inner().ok().flatten());
    Results { records: records.collect(), not_kept: lock(&keeper.not_kept).take() }
}

/// Where results go.
struct Keeper<'a> {
    store: Mutex<&'a mut Store>,
    not_kept: Mutex<Option<String>>,
    observer: &'a dyn Observer,
}

impl Keeper<'_> {
    /// The result that is there already, or else a new one, which is kept.
    fn known_or(
        &self,
        file: &KernelFile,
        configuration: &Configuration,
        key: &str,
        check: impl FnOnce() -> Record,
    ) -> Record {
        if let Some(old) = lock(&self.store).get(&file.name, &configuration.name, key) {
            self.observer.finished(&old, true);
            return old;
        }
        self.observer.started(&file.name);
        let record = check();
        self.keep(&record);
        self.observer.finished(&record, false);
        record
    }

    /// Keeps a result. One that cannot be kept is still counted.
    fn keep(&self, record: &Record) {
        let Err(error) = lock(&self.store).add(record) else { return };
        let mut known = lock(&self.not_kept);
        if known.is_none() {
            self.observer.problem(&format!("results cannot be kept: {error}"));
        }
        *known = Some(error.to_string());
    }
}

/// Runs the checker on a file.
fn check(plan: &Plan, file: &KernelFile, configuration: &Configuration, key: String) -> Record {
    if let Some(why) = &file.unreadable {
        return not_run(file, &configuration.name, key, why);
    }
    let mut command = Command::new(&plan.program);
    command.args(arguments(plan, file, configuration));
    match run_limited(command, &plan.limits) {
        Ok(finished) => {
            let mut record = judge(file, &configuration.name, key, &finished);
            if record.kernels.is_empty() {
                record.kernels = count_loops(plan, file, configuration);
            }
            record
        }
        Err(error) => {
            let why = format!("{}: {error}", plan.program.display());
            not_run(file, &configuration.name, key, &why)
        }
    }
}

/// The loops of kernels that got no verdict, so that the table knows where they
/// belong; nothing if they cannot be read either.
fn count_loops(plan: &Plan, file: &KernelFile, configuration: &Configuration) -> Vec<KernelRecord> {
    let mut command = Command::new(&plan.program);
    command.args(["emit", "--stage=loops"]).arg(&file.path);
    command.args(file.options.iter().chain(&configuration.options));
    match run_limited(command, &plan.limits) {
        Ok(finished) => {
            String::from_utf8_lossy(&finished.stdout).lines().filter_map(parse_loops).collect()
        }
        Err(_) => vec![],
    }
}

/// `kernel k: 2 loops (lines 5, 9)`.
fn parse_loops(line: &str) -> Option<KernelRecord> {
    let (name, rest) = line.strip_prefix("kernel ")?.rsplit_once(": ")?;
    let loops = rest.split_once(" loops")?.0.parse().ok()?;
    Some(KernelRecord { name: name.to_string(), loops, ..KernelRecord::default() })
}

/// The command line. Options of the configuration come last: they win.
fn arguments(plan: &Plan, file: &KernelFile, configuration: &Configuration) -> Vec<String> {
    let timeout = plan.limits.for_checker().as_secs_f64();
    let mut words = vec![
        plan.command.to_string(),
        "--format=json".to_string(),
        "--jobs=1".to_string(),
        format!("--timeout={timeout}"),
    ];
    words.push(file.path.display().to_string());
    words.extend(file.options.iter().cloned());
    words.extend(configuration.options.iter().cloned());
    words
}

/// Everything that a result rests on.
fn key_of(plan: &Plan, file: &KernelFile, configuration: &Configuration, program: &str) -> String {
    let limits = format!("{:?}", plan.limits);
    let options = [file.options.as_slice(), &configuration.options].concat().join("\n");
    let parts = [program, plan.command, &file.fingerprint, &limits, &options].map(str::as_bytes);
    fingerprint(&parts)
}

/// Tells one build of the program from another.
fn program_fingerprint(plan: &Plan) -> String {
    let data = std::fs::metadata(&plan.program);
    let stamp = data.and_then(|data| Ok((data.len(), data.modified()?)));
    format!("{:?}", stamp.ok())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
