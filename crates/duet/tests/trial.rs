//! A new user's trial: five kernels with different bugs. Each message says what is
//! wrong, where, between which threads, and what to do; the page `docs/trial.md` and
//! its pictures show just what is printed (`BLESS=1` rewrites them).

use std::path::{Path, PathBuf};
use std::process::Command;

/// A kernel with a bug, what is wrong with it, and what its message must say: what,
/// where, who, and what to do.
struct Trial {
    name: &'static str,
    title: &'static str,
    story: &'static str,
    says: [&'static str; 4],
}

const TRIALS: [Trial; 5] = [
    Trial {
        name: "missing-barrier",
        title: "A race inside a block",
        story: "Each block reverses its part of an array in shared memory. A thread reads what \
                another one writes, with no barrier in between.",
        says: [
            "a thread reads `tile[",
            "missing-barrier-bug.cu:11:11",
            "of block 0 writes",
            "put a `__syncthreads()` between",
        ],
    },
    Trial {
        name: "shared-sum",
        title: "A race between blocks",
        story: "The first thread of every block adds to one sum.",
        says: [
            "a thread reads `total[0]` while another writes it",
            "shared-sum-bug.cu:9:12",
            "thread 0 of block 1 reads",
            "use an atomic operation",
        ],
    },
    Trial {
        name: "barrier-in-branch",
        title: "Barrier divergence",
        story: "The two halves of a block wait at different barriers.",
        says: [
            "threads of one block wait at different barriers",
            "barrier-in-branch-bug.cu:15:5",
            "thread 32 of block 0 is here",
            "guard the work between barriers",
        ],
    },
    Trial {
        name: "last-neighbour",
        title: "An access out of bounds",
        story: "The last thread reads its right neighbour's element, which does not exist. \
                Bounds are checked with `--check-array-bounds`.",
        says: [
            "`s[64]` lies outside `s`, which has 64 elements",
            "last-neighbour-bug.cu:12:12",
            "thread 63 of block 0 reads `s[64]`",
            "guard the access with a test of its index",
        ],
    },
    Trial {
        name: "empty-range",
        title: "An assertion that fails",
        story: "The assertion holds for every number of bins but zero, and nobody excludes that.",
        says: [
            "an assertion fails",
            "empty-range-bug.cu:10:3",
            "thread 0 of block 0 is here",
            "`__requires(...);`",
        ],
    },
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root")
}

fn options(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(file)).expect("a kernel");
    let line = text.lines().nth(1).expect("a second line").trim_start_matches("//");
    line.split_whitespace().map(str::to_string).collect()
}

/// What a terminal shows, with colours.
fn terminal(file: &str) -> String {
    let options = options(file);
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .current_dir(root())
        .args(["check", file])
        .args(&options)
        .env("CLICOLOR_FORCE", "1")
        .env_remove("NO_COLOR")
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let (said, verdict) =
        (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    let messages = said.trim_end();
    let gap = if messages.is_empty() { "" } else { "\n\n" };
    format!("$ duet check {file} {}\n{messages}{gap}{verdict}", options.join(" "))
}

fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut parts = text.split("\x1b[");
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    plain
}

fn source(file: &str) -> String {
    let text = std::fs::read_to_string(root().join(file)).expect("a kernel");
    let body = text.split_once("\n__global__").expect("a kernel").1;
    format!("__global__{}", body.trim_end())
}

fn section(trial: &Trial, said: &str, mended: &str) -> String {
    let Trial { name, title, story, .. } = trial;
    let bug = source(&format!("kernels/trial/{name}-bug.cu"));
    let fixed = source(&format!("kernels/trial/{name}.cu"));
    format!(
        "\n## {title}\n\n{story}\n\n```c\n{bug}\n```\n\n![the output]({picture})\n\n```\n{said}```\n\n\
         Mended:\n\n```c\n{fixed}\n```\n\n```\n{mended}```\n",
        picture = format_args!("trial/{name}.svg"),
    )
}

/// Compares with the file, or rewrites it.
fn settle(path: &Path, text: &str, problems: &mut Vec<String>) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    } else if std::fs::read_to_string(path).unwrap_or_default() != text {
        problems.push(format!("{} is not what is printed (BLESS=1 rewrites it)", path.display()));
    }
}

#[test]
fn messages_say_what_where_who_and_what_to_do() {
    let mut page = String::from(
        "# A trial\n\nFive kernels with different bugs, as a new user meets them, and the same \
         kernels mended. All output is Duet's own; a test compares it.\n",
    );
    let mut problems = vec![];
    for trial in &TRIALS {
        let coloured = terminal(&format!("kernels/trial/{}-bug.cu", trial.name));
        let said = without_colours(&coloured);
        for words in trial.says.iter().filter(|words| !said.contains(**words)) {
            problems.push(format!("{}: no `{words}` in\n{said}", trial.name));
        }
        let mended = without_colours(&terminal(&format!("kernels/trial/{}.cu", trial.name)));
        if !mended.contains(": proved") {
            problems.push(format!("{} is not mended:\n{mended}", trial.name));
        }
        page.push_str(&section(trial, &said, &mended));
        let picture = root().join(format!("docs/trial/{}.svg", trial.name));
        settle(&picture, &duet_report::render_svg(&coloured), &mut problems);
    }
    settle(&root().join("docs/trial.md"), &page, &mut problems);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
