//! `duet doctor`: the programs that Duet needs, where they were found, and how to
//! install what is missing.

use std::path::Path;

use duet_engine::tools::{KnownSolver, Located, Origin, SolverKind, known_solvers};
use duet_frontend::{CacheState, Survey, survey};
use serde::Serialize;

use crate::exit::Exit;
use crate::output;

/// Options of `duet doctor`.
#[derive(clap::Args)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Whether something is as it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// It is there.
    Ok,
    /// It is there and cannot be used.
    Broken,
    /// It is not there.
    Missing,
}

/// One thing that Duet uses.
#[derive(Debug, Serialize)]
struct Item {
    name: &'static str,
    status: Status,
    /// Nothing can be checked without it.
    needed: bool,
    version: Option<String>,
    place: Option<String>,
    /// How it was found, or what else is to be known.
    remark: Option<String>,
    /// What to do if it is not there.
    help: Option<&'static str>,
}

/// The whole report.
#[derive(Debug, Serialize)]
struct Report {
    version: u32,
    ok: bool,
    items: Vec<Item>,
}

/// Runs the command: 0 if `duet check` has what it needs, else 4.
pub fn doctor(args: &Args) -> Exit {
    let report = report(&survey(), &known_solvers());
    match args.json {
        true => output::print(&format!("{:#}\n", serde_json::json!(report))),
        false => output::print(&text(&report)),
    }
    if report.ok { Exit::Proved } else { Exit::Usage }
}

fn report(survey: &Survey, solvers: &[KnownSolver]) -> Report {
    let mut items = vec![clang(survey), llvm(survey), headers(survey)];
    // One solver that knows integers is enough.
    let enough = solvers.iter().any(KnownSolver::suffices);
    items.extend(solvers.iter().map(|solver| solver_item(solver, enough)));
    items.push(cache(&survey.cache));
    let ok = items.iter().all(|item| !item.needed || item.status == Status::Ok);
    Report { version: 1, ok, items }
}

fn clang(survey: &Survey) -> Item {
    let found = survey.clang.as_ref();
    let (status, remark) = match found {
        None => (Status::Missing, None),
        Some(clang) if clang.version.is_none() => {
            (Status::Broken, Some("it does not run".to_string()))
        }
        Some(clang) if !clang.fits(&survey.llvm_version) => {
            let why = format!("its release is not that of LLVM {}", survey.llvm_version);
            (Status::Broken, Some(why))
        }
        Some(clang) => (Status::Ok, Some(words(clang.origin, "DUET_CLANG"))),
    };
    Item {
        name: "clang",
        status,
        needed: true,
        version: found.and_then(|clang| clang.version.clone()),
        place: found.map(|clang| shown(&clang.program)),
        remark,
        help: (status != Status::Ok)
            .then_some("apt-get install clang-19, or set DUET_CLANG to a clang of release 19"),
    }
}

/// Without the library this program would not have started.
fn llvm(survey: &Survey) -> Item {
    Item {
        name: "LLVM",
        status: Status::Ok,
        needed: true,
        version: Some(survey.llvm_version.clone()),
        place: survey.llvm_file.as_deref().map(shown),
        remark: Some(match survey.llvm_file {
            Some(_) => "linked to this program".to_string(),
            None => "inside this program".to_string(),
        }),
        help: None,
    }
}

fn headers(survey: &Survey) -> Item {
    Item {
        name: "headers",
        status: Status::Ok,
        needed: true,
        version: Some(env!("CARGO_PKG_VERSION").to_string()),
        place: None,
        remark: Some(format!("{} files, carried inside this program", survey.headers)),
        help: None,
    }
}

fn solver_item(solver: &KnownSolver, enough: bool) -> Item {
    let located = solver.located.as_ref();
    let status = match (located, solver.runs()) {
        (Ok(_), true) => Status::Ok,
        (Ok(_), false) => Status::Broken,
        (Err(_), _) => Status::Missing,
    };
    let variable = solver.kind.variable();
    let remark = match (located, status) {
        (Ok(_), Status::Broken) => "it does not say its version".to_string(),
        (Ok(located), _) => words(located.origin, variable),
        (Err(error), _) => error.to_string(),
    };
    let help = match solver.kind {
        SolverKind::Z3 => {
            "pip install z3-solver (or `make setup` in Duet's project), or set DUET_Z3"
        }
        SolverKind::Cvc5 => "apt-get install cvc5, or set DUET_CVC5",
        SolverKind::Bitwuzla => "only --solver=bitwuzla asks it: set DUET_BITWUZLA to the program",
    };
    Item {
        name: solver.kind.name(),
        status,
        needed: !enough && solver.kind.has_integers(),
        version: located.ok().map(Located::version),
        place: located.ok().map(|located| shown(&located.program)),
        remark: Some(remark),
        help: (status != Status::Ok).then_some(help),
    }
}

fn cache(state: &CacheState) -> Item {
    let help = "set DUET_CACHE_DIR to a folder that can be written";
    let (status, place, remark) = match state {
        CacheState::Folder(folder) => (Status::Ok, Some(shown(folder)), None),
        CacheState::Temporary => {
            let remark = "no folder can be written: headers are unpacked on every run";
            (Status::Ok, None, Some(remark.to_string()))
        }
        CacheState::Unusable(why) => (Status::Broken, None, Some(why.clone())),
    };
    let help = (place.is_none()).then_some(help);
    Item { name: "cache", status, needed: true, version: None, place, remark, help }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn words(origin: Origin, variable: &str) -> String {
    match origin {
        Origin::Given => "given".to_string(),
        Origin::Variable => format!("named by {variable}"),
        Origin::Installation => "belongs to this installation".to_string(),
        Origin::Path => "on the path".to_string(),
    }
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    for item in &report.items {
        text.push_str(&line(item));
        if let Some(help) = item.help {
            text.push_str(&format!("{:19}help: {help}\n", ""));
        }
    }
    text.push_str(match (report.ok, uses_cvc5(report)) {
        (true, false) => "everything that `duet check` needs is here\n",
        (true, true) => "`duet check` works; without z3 it asks cvc5, and may prove less\n",
        (false, _) => "something that `duet check` needs is missing\n",
    });
    text
}

fn uses_cvc5(report: &Report) -> bool {
    report.items.iter().any(|item| item.name == "z3" && item.status != Status::Ok)
}

fn line(item: &Item) -> String {
    let state = match item.status {
        Status::Ok => "ok",
        Status::Broken => "broken",
        Status::Missing => "missing",
    };
    let remark = match (&item.place, &item.remark) {
        (Some(_), Some(remark)) => Some(format!("({remark})")),
        (None, remark) => remark.clone(),
        (Some(_), None) => None,
    };
    let parts = [item.version.clone(), item.place.clone(), remark];
    let rest: Vec<String> = parts.into_iter().flatten().collect();
    format!("{:9} {state:8} {}\n", item.name, rest.join(" "))
}
