//! `--emit-repro DIR`: a host program for each defect that a run showed, in a folder
//! of its own, with a copy of the kernel's file and a page that says how to build it.

use std::path::Path;

use duet_engine::Report;
use duet_engine::check::{Finding, Why, describe_finding};
use duet_engine::refute::{Compiling, Repro, reproduction};
use duet_ir::{Func, Module};

use crate::input::frontend_args::FrontendArgs;

/// Writes the programs. Returns a line about each; an error is one of writing.
pub fn write(
    folder: &Path,
    frontend: &FrontendArgs,
    macros: &[String],
    module: &Module,
    reports: &[(Func, Report)],
) -> Result<Vec<String>, String> {
    let defines: Vec<String> = macros.iter().chain(&frontend.defines).cloned().collect();
    let include_dirs = include_dirs(frontend);
    let mut notes = vec![];
    for (kernel, report) in reports {
        let shown = report.findings.iter().filter(|finding| finding.is_refuted());
        for (number, finding) in shown.enumerate() {
            let Why::Run(evidence) = &finding.why else { continue };
            let what = describe_finding(module, *kernel, finding).headline;
            let compiling =
                Compiling { defines: &defines, include_dirs: &include_dirs, what: &what };
            let name = format!("{}-{}", file_name(&report.name), number + 1);
            match reproduction(module, *kernel, evidence, &compiling) {
                Ok(repro) => {
                    let folder = folder.join(&name);
                    write_files(&folder, &frontend.file, &repro, finding, &what)
                        .map_err(|error| format!("{}: {error}", folder.display()))?;
                    notes.push(format!("{}: a program that shows: {what}", folder.display()));
                }
                Err(why) => notes.push(format!("no program for `{}`: {why}", report.name)),
            }
        }
    }
    Ok(notes)
}

fn write_files(
    folder: &Path,
    source: &Path,
    repro: &Repro,
    finding: &Finding,
    what: &str,
) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::copy(source, folder.join(repro.source_file))?;
    std::fs::write(folder.join(repro.host_file), &repro.host)?;
    let page = format!(
        "# {}: {what}\n\nBuild: `{}`\n\nRun, in this folder: `./repro`\n",
        finding.rule, repro.build
    );
    std::fs::write(folder.join("README.md"), page)
}

/// The folders with headers, and the source's own, from anywhere.
fn include_dirs(frontend: &FrontendArgs) -> Vec<String> {
    let own = frontend.file.parent().map(Path::to_path_buf).unwrap_or_default();
    let folders = std::iter::once(&own).chain(&frontend.include_dirs);
    let absolute = folders.filter_map(|folder| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.canonicalize().ok()
    });
    absolute.map(|folder| folder.display().to_string()).collect()
}

/// A kernel's name as one of a folder.
fn file_name(kernel: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    kernel.chars().map(plain).collect()
}
