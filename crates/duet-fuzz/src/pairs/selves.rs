//! Kernels against themselves: what is proved must be shown to do what it does.
//!
//! A kernel whose header says that it passes is proved by `duet check`, which other tests
//! hold; here only the engines and the test of determinism are asked.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use duet_engine::LaunchSizes;
use duet_engine::load::{LoadOptions, load};
use duet_equiv::engines_say;
use duet_equiv::pair::determinism::refusals;
use duet_equiv::pair::request::{FloatModel, Kernel, Request};

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct SelfSummary {
    /// Kernels that pass.
    pub kernels: usize,
    /// Kernels that are equal to themselves.
    pub equal: usize,
    /// The others, with the reason.
    pub others: BTreeMap<String, String>,
}

/// Compares each kernel below a folder that passes with itself; every so many only.
pub fn compare_selves(folder: &Path, every: usize, progress: bool) -> SelfSummary {
    let mut files = vec![];
    collect(folder, &mut files);
    files.sort();
    let mut summary = SelfSummary::default();
    for path in files.iter().step_by(every.max(1)) {
        of_file(path, &mut summary);
        if progress && summary.kernels.is_multiple_of(20) {
            eprintln!("{} of {} kernels are equal", summary.equal, summary.kernels);
        }
    }
    summary
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|own| own == "cu" || own == "cl") {
            files.push(path);
        }
    }
}

fn of_file(path: &Path, summary: &mut SelfSummary) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut lines = text.lines();
    let options = match (lines.next(), lines.next()) {
        (Some("//pass"), Some(options)) => options.trim_start_matches('/').to_string(),
        _ => return,
    };
    let words: Vec<String> = options.split_whitespace().map(str::to_string).collect();
    let Ok(sizes) = LaunchSizes::from_options(&words) else { return };
    let mut plain = LoadOptions::plain(path.to_path_buf(), Default::default());
    let defines = words.iter().filter_map(|word| word.strip_prefix("-D"));
    plain.reading.defines.extend(defines.map(str::to_string));
    let Ok(loaded) = load(&LoadOptions { sizes: sizes.clone(), ..plain }) else { return };
    for func in loaded.kernels() {
        let kernel = || Kernel {
            file: path.to_path_buf(),
            module: &loaded.module,
            func,
            sizes: sizes.clone(),
            reading: vec![],
        };
        summary.kernels += 1;
        let name = format!("{}: {}", path.display(), loaded.module.functions[func].name);
        let function = &loaded.module.functions[func];
        let refused = refusals(&loaded.module, function, FloatModel::Exact);
        if let Some(refusal) = refused.first() {
            summary.others.insert(name, refusal.why.clone());
            continue;
        }
        match engines_say(&[kernel(), kernel()], &Request::default()) {
            Ok(_) => summary.equal += 1,
            Err(reasons) => {
                summary.others.insert(name, reasons.join("; "));
            }
        }
    }
}

impl fmt::Display for SelfSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, why) in &self.others {
            writeln!(f, "{name}: {why}")?;
        }
        let share = 100.0 * self.equal as f64 / self.kernels.max(1) as f64;
        write!(
            f,
            "{} of {} kernels are equal to themselves ({share:.0} %)",
            self.equal, self.kernels
        )
    }
}
