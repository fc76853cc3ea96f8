//! Which of the files are checked: those that changed since a commit of git and those that
//! include them (`--since`), and one part of many (`--shard`).
//!
//! Includes are followed in the text, not by the compiler: a name that more than one file of
//! the repository may be is all of them, and an include whose name a macro makes counts as
//! changed. So more may be checked than has to be, and never less.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use super::Args;
use super::files::Files;
use super::project;

/// Leaves those files that are to be checked. False if there are none.
pub fn keep(args: &Args, files: &mut Files) -> Result<bool, String> {
    if args.since.is_none() && args.shard.is_none() {
        return Ok(true);
    }
    let changes = args.since.as_deref().map(|commit| Changes::since(args, commit)).transpose()?;
    let mut all = 0;
    let mut kept = 0;
    for program in &mut files.programs {
        all += program.with_kernels.len();
        if let Some(changes) = &changes {
            program.with_kernels.retain(|file| changes.concern(file));
        }
        let mut failed = None;
        if let Some(shard) = args.shard {
            program.with_kernels.retain(|file| match std::fs::read(file) {
                Ok(bytes) => shard.holds_text(&bytes),
                // It is for the check to say what is wrong with it, on every machine.
                Err(error) => {
                    failed = Some(format!("{}: {error}", file.display()));
                    true
                }
            });
        }
        if let Some(failed) = failed {
            return Err(failed);
        }
        kept += program.with_kernels.len();
    }
    files.programs.retain(|program| !program.with_kernels.is_empty());
    if !args.quiet {
        eprintln!("note: {kept} of {all} files are checked");
    }
    Ok(kept > 0)
}

/// What changed in a repository.
struct Changes {
    /// Files that changed, were added or removed, from the repository's folder.
    changed: BTreeSet<PathBuf>,
    /// All its files.
    files: Vec<PathBuf>,
    root: PathBuf,
}

impl Changes {
    fn since(args: &Args, commit: &str) -> Result<Changes, String> {
        // A commit's name is no option.
        if commit.starts_with('-') {
            return Err(format!("--since: `{commit}` is no commit"));
        }
        let named = PathBuf::from(args.frontend.file.to_string_lossy().trim_start_matches('@'));
        let whole =
            named.canonicalize().map_err(|error| format!("{}: {error}", named.display()))?;
        let folder =
            if whole.is_dir() { whole.as_path() } else { whole.parent().unwrap_or(&whole) };
        let root = git(folder, &["rev-parse", "--show-toplevel"])?;
        let root = PathBuf::from(root.first().cloned().unwrap_or_default());
        let known = format!("{commit}^{{commit}}");
        git(&root, &["rev-parse", "--verify", "--quiet", &known])
            .map_err(|_| format!("--since: there is no commit `{commit}`"))?;
        let new = git(&root, &["ls-files", "-z", "--others", "--exclude-standard"])?;
        let mut changed: BTreeSet<PathBuf> =
            git(&root, &["diff", "--name-only", "-z", "--no-renames", commit, "--"])?
                .into_iter()
                .map(PathBuf::from)
                .collect();
        changed.extend(new.iter().map(PathBuf::from));
        let tracked = git(&root, &["ls-files", "-z"])?;
        let files = tracked.into_iter().chain(new).map(PathBuf::from).collect();
        Ok(Changes { changed, files, root })
    }

    /// Did the file change, or something that it includes?
    fn concern(&self, file: &Path) -> bool {
        // How every file is read may have changed.
        if self.changed.iter().any(|file| file.ends_with(project::NAME)) {
            return true;
        }
        let whole = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
        // A file that git does not know is not known to be as it was.
        let Ok(own) = whole.strip_prefix(&self.root) else { return true };
        if !self.files.iter().any(|file| file == own) {
            return true;
        }
        let mut seen = BTreeSet::new();
        let mut open = vec![own.to_path_buf()];
        while let Some(file) = open.pop() {
            if self.changed.contains(&file) {
                return true;
            }
            if !seen.insert(file.clone()) {
                continue;
            }
            let Ok(text) = std::fs::read(self.root.join(&file)) else { return true };
            for include in includes(&String::from_utf8_lossy(&text)) {
                let Some(name) = include else { return true };
                let is_it = |file: &&PathBuf| file.ends_with(&name);
                if self.changed.iter().any(|file| file.ends_with(&name)) {
                    return true;
                }
                open.extend(self.files.iter().filter(is_it).cloned());
            }
        }
        false
    }
}

/// The names that a text includes, without what leads to them from another folder; none where
/// a macro makes the name.
fn includes(text: &str) -> Vec<Option<PathBuf>> {
    let joined = text.replace("\\\r\n", "").replace("\\\n", "");
    let directive = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let words = ["include_next", "include", "import", "embed"];
        let rest = words.iter().find_map(|word| rest.strip_prefix(word))?.trim_start();
        let close = match rest.chars().next() {
            Some('"') => '"',
            Some('<') => '>',
            _ => return Some(None),
        };
        let name = rest[1..].split(close).next().unwrap_or_default();
        let parts = Path::new(name).components();
        let plain: PathBuf = parts.filter(|part| matches!(part, Component::Normal(_))).collect();
        Some((!plain.as_os_str().is_empty()).then_some(plain))
    };
    joined.lines().filter_map(directive).collect()
}

/// What git prints, in parts that end with NUL or a line's end.
fn git(folder: &Path, words: &[&str]) -> Result<Vec<String>, String> {
    let output = Command::new("git").arg("-C").arg(folder).args(words).output();
    let output = output.map_err(|error| format!("git: {error}"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        return Err(format!("git: {}", why.trim()));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let end = if words.contains(&"-z") { '\0' } else { '\n' };
    Ok(text.split(end).filter(|part| !part.is_empty()).map(str::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::includes;

    #[test]
    fn includes_are_found_in_the_text() {
        let text = "#include \"a.h\"\n  #  include <x/b.h> // c\n#include NAME\n#include \"../d.h\"\n\
                    int include; // #include \"no.h\"\n#inc\\\nlude \"e.h\"\n";
        let found: Vec<Option<String>> = includes(text)
            .into_iter()
            .map(|one| one.map(|path| path.display().to_string()))
            .collect();
        let wanted = [Some("a.h"), Some("x/b.h"), None, Some("d.h"), Some("e.h")];
        assert_eq!(found, wanted.map(|one| one.map(str::to_string)));
    }
}
