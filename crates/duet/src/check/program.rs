//! The launches that the host code of a file makes: what is checked instead of its kernels
//! alone.

use std::thread::JoinHandle;

use duet_engine::LaunchSizes;
use duet_engine::check::CheckOptions;
use duet_engine::load::LoadedFile;
use duet_engine::programs::{self, Copies, SiteReport};
use duet_ir::{Diagnostic, Func};

use super::Args;

/// A kernel that is checked, and how.
pub struct Subject {
    /// The kernel, or the copy for a launch.
    pub kernel: Func,
    /// How it is checked.
    pub options: CheckOptions,
    /// The launch, and the copies of the kernel for it.
    pub site: Option<(SiteReport, Copies)>,
}

/// What becomes of the host side.
type Reading = JoinHandle<Result<programs::Host, Vec<Diagnostic>>>;

/// Starts to read the host side of the file, if its launches are asked for: no sizes or
/// arguments are given, and it may have some.
pub fn start_reading_host(args: &Args) -> Option<Reading> {
    let file = args.frontend.file.clone();
    if !args.asks_for_sites() || !programs::may_launch(&file) {
        return None;
    }
    let options = args.frontend.options();
    Some(std::thread::spawn(move || programs::read_host(&[file], &options)))
}

/// What is checked: the launches that the host code makes, and the kernels that it does
/// not launch. The copies for launches are put into the module.
pub fn subjects(
    args: &Args,
    loaded: &mut LoadedFile,
    host: Option<Reading>,
) -> Result<Vec<Subject>, String> {
    let any_launch = |loaded: &LoadedFile, kernel: Func| {
        let options = args.options(&loaded.module, kernel, &loaded.sizes)?;
        Ok(Subject { kernel, options, site: None })
    };
    let host = match host.map(JoinHandle::join) {
        Some(Ok(Ok(host))) if !host.sites.is_empty() => host,
        Some(Ok(Err(errors))) => {
            note_unreadable(args, &errors);
            return loaded.kernels().into_iter().map(|kernel| any_launch(loaded, kernel)).collect();
        }
        _ => {
            return loaded.kernels().into_iter().map(|kernel| any_launch(loaded, kernel)).collect();
        }
    };
    let program = programs::bind(loaded.module.clone(), &host);
    loaded.module = program.module;
    if !args.quiet {
        program.notes.iter().for_each(|note| eprintln!("note: {note}"));
    }
    let mut subjects = vec![];
    for site in program.sites {
        let usual = args.options(&loaded.module, site.copies.plain, &LaunchSizes::default())?;
        let may_alias = usual.may_alias || site.host.may_alias;
        let options =
            CheckOptions { launch: site.launch, host: Some(site.host), may_alias, ..usual };
        let kernel = site.copies.bounded;
        subjects.push(Subject { kernel, options, site: Some((site.site, site.copies)) });
    }
    for kernel in program.any_launch {
        subjects.push(any_launch(loaded, kernel)?);
    }
    Ok(subjects)
}

/// A host side that does not compile is no error: the kernels are judged for any launch.
fn note_unreadable(args: &Args, errors: &[Diagnostic]) {
    if args.quiet {
        return;
    }
    let why = errors.first().map_or("", |error| &error.headline);
    eprintln!("note: the host code could not be read, so its launches are not known: {why}");
}
