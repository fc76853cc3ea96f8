//! Finding the programs that Duet runs: clang and the solvers.
//!
//! One order for all of them:
//!
//! 1. a path that the caller was given (an option such as `--clang`);
//! 2. the tool's environment variable (`DUET_Z3`, `DUET_CLANG`, ...);
//! 3. the installation that the running program belongs to: the program's own
//!    folder, then `../lib/duet` and `../share/duet` beside it, then, for a program
//!    that was built in its project (in a folder below `target`), the folder `.duet`
//!    of the project, which `make setup` fills;
//! 4. the folders of `PATH`.
//!
//! The first two are the user's word. They are taken as they are: if nothing is there,
//! the tool is missing, and nothing else is tried in its place. An empty variable counts
//! as one that is not set.
//!
//! The current folder is never searched: it may hold foreign files, and Duet
//! would run a program out of it. For the same reason a relative entry of `PATH` is
//! left out.
//!
//! This crate runs nothing and knows no tool by name.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A program to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The file's name.
    pub name: &'static str,
    /// The environment variable that names the program.
    pub variable: &'static str,
}

/// How a program was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The caller named it.
    Given,
    /// Its environment variable names it.
    Variable,
    /// It belongs to the installation of the running program.
    Installation,
    /// It is in a folder of `PATH`.
    Path,
}

/// A program that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The program.
    pub program: PathBuf,
    /// How it was found.
    pub origin: Origin,
}

/// A program that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The places that were looked at, in order.
    pub looked: Vec<PathBuf>,
    /// The user named the program, so that nothing else was tried.
    pub named: bool,
}

/// Where tools are looked for; [`Surroundings::of_this_process`] is the usual one.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The folder of the running program, without symbolic links.
    pub program_folder: Option<PathBuf>,
    /// The value of `PATH`.
    pub path: OsString,
}

impl Surroundings {
    /// Those of the running process.
    pub fn of_this_process() -> Surroundings {
        let program = std::env::current_exe().and_then(|program| program.canonicalize()).ok();
        Surroundings {
            program_folder: program.and_then(|program| program.parent().map(Path::to_path_buf)),
            path: std::env::var_os("PATH").unwrap_or_default(),
        }
    }

    /// Finds a tool; `variable` is the value of its environment variable.
    pub fn find(
        &self,
        tool: Tool,
        given: Option<&Path>,
        variable: Option<OsString>,
    ) -> Result<Found, Missing> {
        let variable = variable.filter(|value| !value.is_empty()).map(PathBuf::from);
        let named = match (given, variable) {
            (Some(path), _) => Some((path.to_path_buf(), Origin::Given)),
            (None, Some(path)) => Some((path, Origin::Variable)),
            (None, None) => None,
        };
        if let Some((path, origin)) = named {
            let places = self.places_of_name(path);
            return first_program(&places, |_| origin)
                .ok_or(Missing { looked: places, named: true });
        }
        let own = self.in_installation(tool.name);
        let count = own.len();
        let places: Vec<PathBuf> = own.into_iter().chain(self.on_path(tool.name)).collect();
        let origin = |at| if at < count { Origin::Installation } else { Origin::Path };
        first_program(&places, origin).ok_or(Missing { looked: places, named: false })
    }

    /// Like a shell: a name without a slash is looked for on the path.
    fn places_of_name(&self, path: PathBuf) -> Vec<PathBuf> {
        let is_bare = path.components().count() == 1 && path.file_name().is_some();
        match path.to_str() {
            Some(name) if is_bare && !name.contains('/') => self.on_path(name).collect(),
            _ => vec![path],
        }
    }

    /// The places of a tool within the installation of the running program.
    fn in_installation(&self, name: &str) -> Vec<PathBuf> {
        let Some(folder) = &self.program_folder else { return vec![] };
        let prefix = folder.parent().unwrap_or(folder);
        let shelves = ["lib/duet", "share/duet"].map(|shelf| prefix.join(shelf));
        // Cargo builds into `target`; a program elsewhere belongs to no project, and what
        // lies above it is foreign (`/tmp/.duet`, say).
        let builds = folder.ancestors().filter(|above| above.ends_with("target"));
        let projects = builds.filter_map(Path::parent).map(|project| project.join(".duet"));
        let shelves = shelves.into_iter().chain(projects);
        let inside = shelves.map(|shelf| shelf.join(name).join("bin").join(name));
        std::iter::once(folder.join(name)).chain(inside).collect()
    }

    fn on_path(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        std::env::split_paths(&self.path).filter(|dir| dir.is_absolute()).map(move |d| d.join(name))
    }
}

/// Finds a tool as the running process sees it.
pub fn find(tool: Tool, given: Option<&Path>) -> Result<Found, Missing> {
    Surroundings::of_this_process().find(tool, given, std::env::var_os(tool.variable))
}

fn first_program(places: &[PathBuf], origin: impl Fn(usize) -> Origin) -> Option<Found> {
    let at = places.iter().position(|place| is_program(place))?;
    Some(Found { program: places[at].clone(), origin: origin(at) })
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOL: Tool = Tool { name: "solver", variable: "DUET_TEST_SOLVER" };

    /// A folder in which programs can be put.
    struct Machine(tempfile::TempDir);

    impl Machine {
        fn new() -> Machine {
            Machine(tempfile::tempdir().expect("a folder"))
        }

        fn at(&self, place: &str) -> PathBuf {
            self.0.path().join(place)
        }

        fn put(&self, place: &str, mode: u32) -> PathBuf {
            let path = self.at(place);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, "").expect("a file");
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("a mode");
            path
        }

        /// What a program in `target/app/bin` sees.
        fn surroundings(&self) -> Surroundings {
            let path = std::env::join_paths([self.at("path")]).expect("a path");
            Surroundings { program_folder: Some(self.at("target/app/bin")), path }
        }

        fn find(&self, variable: Option<&Path>) -> Result<Found, Missing> {
            let variable = variable.map(|path| path.as_os_str().to_os_string());
            self.surroundings().find(TOOL, None, variable)
        }
    }

    #[track_caller]
    fn assert_found(result: Result<Found, Missing>, program: &Path, origin: Origin) {
        assert_eq!(result, Ok(Found { program: program.to_path_buf(), origin }));
    }

    /// Each place beats those that follow it.
    #[test]
    fn the_order_of_places() {
        let machine = Machine::new();
        let places = [
            ("path/solver", Origin::Path),
            (".duet/solver/bin/solver", Origin::Installation),
            ("target/app/share/duet/solver/bin/solver", Origin::Installation),
            ("target/app/lib/duet/solver/bin/solver", Origin::Installation),
            ("target/app/bin/solver", Origin::Installation),
        ];
        assert!(machine.find(None).is_err());
        for (place, origin) in places {
            let program = machine.put(place, 0o755);
            assert_found(machine.find(None), &program, origin);
        }
        let named = machine.put("elsewhere/solver-2", 0o755);
        assert_found(machine.find(Some(&named)), &named, Origin::Variable);
        let given = machine.put("elsewhere/solver-3", 0o755);
        let found = machine.surroundings().find(TOOL, Some(&given), Some(named.into_os_string()));
        assert_found(found, &given, Origin::Given);
    }

    /// A variable that names nothing is not passed over in silence.
    #[test]
    fn a_named_program_that_is_missing_is_missing() {
        let machine = Machine::new();
        machine.put("path/solver", 0o755);
        machine.put("target/app/bin/solver", 0o755);
        let wrong = machine.at("nowhere");
        let missing = machine.find(Some(&wrong)).expect_err("nothing is there");
        assert_eq!(missing, Missing { looked: vec![wrong], named: true });
    }

    #[test]
    fn an_empty_variable_is_none() {
        let machine = Machine::new();
        let program = machine.put("path/solver", 0o755);
        assert_found(machine.find(Some(Path::new(""))), &program, Origin::Path);
    }

    #[test]
    fn a_bare_name_is_looked_for_on_the_path() {
        let machine = Machine::new();
        let program = machine.put("path/solver-19", 0o755);
        assert_found(machine.find(Some(Path::new("solver-19"))), &program, Origin::Variable);
        assert!(machine.find(Some(Path::new("./solver-19"))).is_err());
    }

    #[test]
    fn what_cannot_be_run_is_no_program() {
        let machine = Machine::new();
        machine.put("target/app/bin/solver", 0o644);
        std::fs::create_dir_all(machine.at("target/app/lib/duet/solver/bin/solver"))
            .expect("a folder");
        let program = machine.put("path/solver", 0o755);
        assert_found(machine.find(None), &program, Origin::Path);
    }

    /// Above an installation anything may lie.
    #[test]
    fn only_a_build_has_a_project() {
        let machine = Machine::new();
        machine.put(".duet/solver/bin/solver", 0o755);
        let program_folder = Some(machine.at("app/bin"));
        let surroundings = Surroundings { program_folder, path: "".into() };
        assert!(surroundings.find(TOOL, None, None).is_err());
        assert!(machine.find(None).is_ok());
    }

    /// Otherwise a folder of kernels could bring its own "solver".
    #[test]
    fn the_current_folder_is_not_searched() {
        let surroundings = Surroundings { program_folder: None, path: ".:relative:".into() };
        let missing = surroundings.find(TOOL, None, None).expect_err("no place is left");
        assert_eq!(missing, Missing { looked: vec![], named: false });
    }
}
