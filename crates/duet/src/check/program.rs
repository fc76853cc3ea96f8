//! The launches that the host code of a file makes: what is checked instead of its kernels
//! alone.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use duet_engine::LaunchSizes;
use duet_engine::check::CheckOptions;
use duet_engine::load::LoadedFile;
use duet_engine::programs::{self, RecordedLaunch, SiteCopies, SiteReport};
use duet_engine::requires::Wanted;
use duet_frontend::Options;
use duet_ir::{Diagnostic, Func};

use super::Args;
use super::database::Database;
use super::launches;

/// A kernel that is checked, and how.
pub struct Subject {
    /// The kernel, or the copy for a launch.
    pub kernel: Func,
    /// How it is checked.
    pub options: CheckOptions,
    /// The launch, and the copies of the kernel for it.
    pub site: Option<(SiteReport, SiteCopies)>,
    /// It is a question beside those that the exit code is about: the kernel for any
    /// launch, where the host code says how it is launched.
    pub is_aside: bool,
    /// Launches that a precondition of the kernel must admit, if one is looked for, and how
    /// many.
    pub admitted: Option<(Wanted, usize)>,
}

impl Subject {
    /// A kernel that is judged for the launch of the options.
    pub fn new(kernel: Func, options: CheckOptions) -> Subject {
        Subject { kernel, options, site: None, is_aside: false, admitted: None }
    }

    /// The copy whose check it has in common with others, or itself.
    pub fn what_is_shared(&self) -> Func {
        let light = self.site.as_ref().and_then(|(_, copies)| copies.light.as_ref());
        light.map_or(self.kernel, |light| light.copy)
    }
}

/// The host side of a program.
#[derive(Clone)]
pub enum HostSide {
    /// It is of no interest.
    None,
    /// It is being read, while the kernels are.
    Reading(Arc<Mutex<Option<Reading>>>),
    /// It has been read.
    Read(Arc<programs::Host>),
    /// A program was run, and its launches were recorded.
    Recorded(Arc<Recorded>),
}

/// Launches of the kernels of one file that were recorded.
#[derive(Default)]
pub struct Recorded {
    /// The launches, each once.
    pub launches: Vec<RecordedLaunch>,
    /// Is a precondition looked for that admits all of them?
    pub generalise: bool,
    /// Those that were not judged, with the reason.
    pub refused: Mutex<Vec<(RecordedLaunch, String)>>,
}

/// What becomes of the host side.
type Reading = JoinHandle<Result<programs::Host, Vec<Diagnostic>>>;

impl HostSide {
    /// Starts to read the host side of the file, if its launches are asked for: no sizes or
    /// arguments are given, and it may have some.
    pub fn of_file(args: &Args) -> HostSide {
        let file = args.frontend.file.clone();
        if !args.asks_for_sites() || !programs::may_launch(&file) {
            return HostSide::None;
        }
        let options = args.frontend.options();
        let reading = std::thread::spawn(move || programs::read_host(&[file], &options));
        HostSide::Reading(Arc::new(Mutex::new(Some(reading))))
    }

    /// Reads the host side of several files of one program. Those that cannot be read are
    /// a part of the program that is not seen.
    pub fn of_files(args: &Args, files: &[PathBuf], database: Option<&Database>) -> HostSide {
        if !args.asks_for_sites() || files.is_empty() {
            return HostSide::None;
        }
        let with_options: Vec<(PathBuf, Options)> =
            files.iter().map(|file| (file.clone(), args.options_of(file, database))).collect();
        let (host, errors) = programs::read_program(&with_options);
        for (file, error) in errors.iter().filter(|_| !args.quiet) {
            eprintln!("note: the host code of {} could not be read: {error}", file.display());
        }
        host.map_or(HostSide::None, |host| HostSide::Read(Arc::new(host)))
    }

    /// The same for a program in which kernels launch kernels.
    pub fn with_kernels_that_launch(self) -> HostSide {
        match self {
            HostSide::Read(host) => {
                let host = programs::Host { kernels_launch: true, ..(*host).clone() };
                HostSide::Read(Arc::new(host))
            }
            HostSide::None | HostSide::Reading(_) | HostSide::Recorded(_) => self,
        }
    }

    /// What was read; the messages of the compiler if nothing was.
    fn wait(self) -> Option<Result<Arc<programs::Host>, Vec<Diagnostic>>> {
        match self {
            HostSide::None => None,
            HostSide::Read(host) => Some(Ok(host)),
            HostSide::Recorded(_) => None,
            HostSide::Reading(reading) => {
                let reading = reading.lock().ok()?.take()?;
                Some(reading.join().ok()?.map(Arc::new))
            }
        }
    }
}

/// What is checked: the launches that the host code makes, and the kernels that it does
/// not launch. The copies for launches are put into the module.
pub fn subjects(
    args: &Args,
    loaded: &mut LoadedFile,
    host: HostSide,
) -> Result<Vec<Subject>, String> {
    let any_launch = |loaded: &LoadedFile, kernel: Func| {
        let options = args.options(&loaded.module, kernel, &loaded.sizes)?;
        Ok(Subject::new(kernel, options))
    };
    if !args.launches.is_empty() {
        return launches::subjects(args, loaded);
    }
    if let HostSide::Recorded(recorded) = &host {
        return recorded_subjects(args, loaded, recorded);
    }
    let host = match host.wait() {
        Some(Ok(host)) if says_something(&host) => host,
        Some(Err(errors)) => {
            note_unreadable(args, &errors);
            // A launch that a run makes up may be one that the program never makes.
            let not_followed = |kernel| {
                let mut subject = any_launch(loaded, kernel)?;
                subject.options.host = Some(programs::launch_not_followed());
                Ok(subject)
            };
            return loaded.kernels().into_iter().map(not_followed).collect();
        }
        _ => {
            return loaded.kernels().into_iter().map(|kernel| any_launch(loaded, kernel)).collect();
        }
    };
    let program = programs::bind(loaded.module.clone(), &host, &args.frontend.file);
    loaded.module = program.module;
    if !args.quiet {
        program.notes.iter().for_each(|note| eprintln!("note: {note}"));
    }
    let mut asides: Vec<Func> = vec![];
    for site in program.sites.iter().filter(|_| args.any_launch) {
        if !asides.contains(&site.kernel) {
            asides.push(site.kernel);
        }
    }
    let mut subjects = site_subjects(args, loaded, program.sites)?;
    for kernel in program.any_launch {
        let mut subject = any_launch(loaded, kernel)?;
        if program.not_followed.contains(&kernel) {
            subject.options.host = Some(programs::launch_not_followed());
        }
        subjects.push(subject);
        asides.retain(|&one| one != kernel);
    }
    for kernel in asides {
        subjects.push(Subject { is_aside: true, ..any_launch(loaded, kernel)? });
    }
    Ok(subjects)
}

/// Does the host code tell more than that it launches nothing? Kernels that it launches by
/// pointers that are not followed are launched, even if no launch is seen
/// (kernels/programs/by-pointer.cu).
fn says_something(host: &programs::Host) -> bool {
    !host.sites.is_empty() || !host.escaped.is_empty() || host.launches_any() || !host.is_whole
}

/// The launches, each with its copies of the kernel.
fn site_subjects(
    args: &Args,
    loaded: &LoadedFile,
    sites: Vec<programs::SiteKernel>,
) -> Result<Vec<Subject>, String> {
    let work = args.work_of_site(sites.len());
    let subject = |site: programs::SiteKernel| {
        let usual =
            args.options(&loaded.module, site.copies.copies.plain, &LaunchSizes::default())?;
        let may_alias = usual.may_alias || site.host.may_alias;
        let (launch, global_size) = (site.launch, site.global_size);
        let host = Some(site.host);
        let options = CheckOptions { launch, global_size, host, may_alias, work, ..usual };
        let kernel = site.copies.copies.bounded;
        let site = Some((site.site, site.copies));
        Ok(Subject { site, ..Subject::new(kernel, options) })
    };
    sites.into_iter().map(subject).collect()
}

/// The launches that were recorded; kernels that were not launched are not judged. If a
/// precondition is looked for, each kernel is also judged under one.
fn recorded_subjects(
    args: &Args,
    loaded: &mut LoadedFile,
    recorded: &Recorded,
) -> Result<Vec<Subject>, String> {
    let (host, refused) = programs::host_of_launches(&loaded.module, &recorded.launches);
    if let Ok(mut all) = recorded.refused.lock() {
        all.extend(refused);
    }
    let program = programs::bind(loaded.module.clone(), &host, &args.frontend.file);
    loaded.module = program.module;
    let mut kernels: Vec<Func> = program.sites.iter().map(|site| site.kernel).collect();
    kernels.dedup();
    let mut subjects = site_subjects(args, loaded, program.sites)?;
    for kernel in kernels.into_iter().filter(|_| recorded.generalise) {
        subjects.extend(generalised(args, loaded, kernel, recorded)?);
    }
    Ok(subjects)
}

/// A kernel under the weakest precondition that admits its launches.
fn generalised(
    args: &Args,
    loaded: &LoadedFile,
    kernel: Func,
    recorded: &Recorded,
) -> Result<Option<Subject>, String> {
    let func = &loaded.module.functions[kernel];
    let own = recorded.launches.iter().filter(|launch| launch.kernel == func.symbol);
    let own: Vec<RecordedLaunch> = own.cloned().collect();
    match Wanted::new(func, &own) {
        Ok((wanted, sizes)) => {
            let options = args.options(&loaded.module, kernel, &sizes)?;
            let subject = Subject::new(kernel, options);
            Ok(Some(Subject { admitted: Some((wanted, own.len())), is_aside: true, ..subject }))
        }
        Err(why) => {
            eprintln!("note: `{}` is not generalised: {why}", func.name);
            Ok(None)
        }
    }
}

/// A host side that does not compile is no error: the kernels are judged for any launch.
fn note_unreadable(args: &Args, errors: &[Diagnostic]) {
    if args.quiet {
        return;
    }
    let why = errors.first().map_or("", |error| &error.headline);
    eprintln!("note: the host code could not be read, so its launches are not known: {why}");
}
