//! Duet as users have it: installed by `make install`, or unpacked from a package, run
//! from a folder of their own with nothing set but HOME and PATH.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const PROVED: i32 = 0;
const USAGE: i32 = 4;

/// A kernel whose proof needs a solver, and one that no solver can save.
const GOOD: &str = "__global__ void scatter(unsigned *a) {
  a[blockIdx.x * 64 + ((threadIdx.x * 5 + 3) ^ threadIdx.x * 8) % 64] = threadIdx.x;
}
";
const BAD: &str = "__global__ void clash(unsigned *a) { a[0] = threadIdx.x; }\n";

/// A user with a home and a folder of kernels.
struct User {
    folder: tempfile::TempDir,
    path: String,
}

impl User {
    fn new() -> User {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["home", "work"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        std::fs::write(folder.path().join("work/good.cu"), GOOD).expect("a file");
        std::fs::write(folder.path().join("work/bad.cu"), BAD).expect("a file");
        User { folder, path: "/usr/local/bin:/usr/bin:/bin".to_string() }
    }

    fn at(&self, place: &str) -> PathBuf {
        self.folder.path().join(place)
    }

    /// Runs the program of an installation.
    fn run(&self, installation: &Path, arguments: &[&str]) -> Output {
        Command::new(installation.join("bin/duet"))
            .args(arguments)
            .current_dir(self.at("work"))
            .env_clear()
            .env("HOME", self.at("home"))
            .env("PATH", &self.path)
            .output()
            .expect("duet runs")
    }

    /// What `duet doctor --json` says about one thing.
    fn doctor(&self, installation: &Path, name: &str) -> (Option<i32>, Value) {
        let output = self.run(installation, &["doctor", "--json"]);
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let items = json["items"].as_array().expect("items");
        let item = items.iter().find(|item| item["name"] == name).expect("an item");
        assert_eq!(json["ok"] == true, output.status.code() == Some(0), "{json}");
        (output.status.code(), item.clone())
    }

    /// The installation works, with the solver that it brings.
    #[track_caller]
    fn assert_works(&self, installation: &Path) {
        let (code, z3) = self.doctor(installation, "z3");
        let program = installation.canonicalize().expect("a folder").join("lib/duet/z3/bin/z3");
        assert_eq!((code, &z3["status"]), (Some(0), &Value::from("ok")), "{z3}");
        assert_eq!(z3["place"], program.display().to_string());
        let launch = ["--block-dim=64", "--grid-dim=2"];
        let good = self.run(installation, &["check", "good.cu", launch[0], launch[1]]);
        assert_eq!(good.status.code(), Some(PROVED), "{}", shown(&good));
        assert!(!shown(&good).contains("cvc5"), "{}", shown(&good));
        let bad = self.run(installation, &["check", "bad.cu", launch[0], launch[1]]);
        assert_eq!(bad.status.code(), Some(1), "{}", shown(&bad));
    }
}

fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Runs one of our scripts on the program that this test was built with.
fn script(name: &str, variables: &[(&str, &Path)]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(root.join("scripts").join(name));
    command.env_remove("DESTDIR").env("DUET_PROGRAM", env!("CARGO_BIN_EXE_duet"));
    let output = command.envs(variables.iter().copied()).output().expect("the script runs");
    assert!(output.status.success(), "{}", shown(&output));
}

fn run(program: &str, arguments: &[&str], last: &[&Path]) -> String {
    let output = Command::new(program).args(arguments).args(last).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{}", shown(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn an_installation_works_anywhere() {
    let mut user = User::new();
    let first = user.at("first");
    script("install.sh", &[("PREFIX", &first)]);
    for file in ["share/man/man1/duet.1", "share/bash-completion/completions/duet"] {
        let text = std::fs::read_to_string(first.join(file)).expect(file);
        assert!(text.contains("doctor"), "{file}");
    }
    user.assert_works(&first);

    // Installing once more changes nothing, and moving it does no harm.
    script("install.sh", &[("PREFIX", &first)]);
    let moved = user.at("elsewhere/duet");
    std::fs::create_dir(user.at("elsewhere")).expect("a folder");
    std::fs::rename(&first, &moved).expect("a folder that can be moved");
    user.assert_works(&moved);

    // A link to the program belongs to the installation of the program.
    std::fs::create_dir_all(user.at("links/bin")).expect("a folder");
    symlink(moved.join("bin/duet"), user.at("links/bin/duet")).expect("a link");
    assert_eq!(user.doctor(&user.at("links"), "z3").1["status"], "ok");

    // Without z3, cvc5 is asked, and the user is told.
    std::fs::remove_dir_all(moved.join("lib/duet/z3")).expect("a folder that can be removed");
    user.path = user.at("tools").display().to_string();
    std::fs::create_dir(user.at("tools")).expect("a folder");
    symlink(on_path("cvc5"), user.at("tools/cvc5")).expect("a link");
    symlink(on_path("clang-19"), user.at("tools/clang-19")).expect("a link");
    let (code, z3) = user.doctor(&moved, "z3");
    assert_eq!((code, &z3["status"]), (Some(0), &Value::from("missing")), "{z3}");
    let check = ["check", "good.cu", "--block-dim=64", "--grid-dim=2"];
    let output = user.run(&moved, &check);
    assert_eq!(output.status.code(), Some(PROVED), "{}", shown(&output));
    assert!(shown(&output).contains("z3 is not installed: cvc5 is asked"), "{}", shown(&output));
    // Whoever asks for z3 does not get another.
    let output = user.run(&moved, &["check", "good.cu", "--solver=z3"]);
    assert_eq!(output.status.code(), Some(USAGE), "{}", shown(&output));

    // Without any solver nothing is proved.
    std::fs::remove_file(user.at("tools/cvc5")).expect("a link");
    let (code, cvc5) = user.doctor(&moved, "cvc5");
    assert_eq!((code, &cvc5["needed"]), (Some(USAGE), &Value::from(true)), "{cvc5}");
    assert!(cvc5["help"].as_str().is_some_and(|help| help.contains("apt-get install cvc5")));
    let output = user.run(&moved, &check);
    assert_eq!(output.status.code(), Some(USAGE), "{}", shown(&output));
}

/// A program of this machine.
fn on_path(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let beside = PathBuf::from("/usr/lib/llvm-19/bin/clang");
    let mut found = std::env::split_paths(&path).map(|folder| folder.join(name));
    let found = found.find(|program| program.is_file());
    found.or(Some(beside).filter(|_| name.starts_with("clang"))).expect(name)
}

#[test]
fn packages_work_where_they_are_unpacked() {
    let user = User::new();
    let out = user.at("packages");
    script("package.sh", &[("OUT", &out)]);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&out)
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    let [tarball, deb] = files.as_slice() else { panic!("{files:?}") };

    run("dpkg-deb", &["-x"], &[deb, &user.at("root")]);
    user.assert_works(&user.at("root/usr"));
    let depends = run("dpkg-deb", &["-f", &deb.display().to_string(), "Depends"], &[]);
    assert_eq!(depends.trim(), "clang-19, libffi8, libstdc++6, libzstd1, zlib1g");
    let contents = run("dpkg-deb", &["-c"], &[deb]);
    assert!(contents.contains("./usr/share/man/man1/duet.1.gz"), "{contents}");
    assert!(contents.lines().all(|line| line.contains(" root/root ")), "{contents}");

    std::fs::create_dir(user.at("unpacked")).expect("a folder");
    run("tar", &["-C", &user.at("unpacked").display().to_string(), "-xzf"], &[tarball]);
    let name = tarball.file_name().expect("a name").to_string_lossy().replace(".tar.gz", "");
    user.assert_works(&user.at("unpacked").join(name));
}

/// The wheel of the program that is tested. The script installs it into a fresh environment,
/// with the wheel of z3 on which it depends, and proves, refutes and intercepts with it.
#[test]
fn a_wheel_works_in_a_fresh_environment() {
    let user = User::new();
    let out = user.at("wheels");
    script("wheel.sh", &[("OUT", &out)]);
    let files: Vec<PathBuf> = std::fs::read_dir(&out)
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .collect();
    let [wheel] = files.as_slice() else { panic!("{files:?}") };
    let read = "import sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
print(*wheel.namelist(), sep='\\n')
print(next(wheel.read(name).decode() for name in wheel.namelist() if name.endswith('/METADATA')))";
    let contents = run("python3", &["-c", read], &[wheel]);
    for part in
        ["/scripts/duet\n", "/data/lib/duet/libduet_layer.so\n", "Requires-Dist: z3-solver=="]
    {
        assert!(contents.contains(part), "no {part} in {contents}");
    }
}
