//! The project file `duet.toml`: options that belong to a project and not to one command.
//!
//! It is looked for in the folder of the first file that is named and in those around it;
//! the nearest counts. Options of the command line come first. A key that is not known is
//! an error, so that a typing error does not silently mean nothing. Of TOML only what such
//! a file needs is read: keys with texts, numbers, truth values and lists of texts.

use std::path::{Path, PathBuf};

use duet_report::Baseline;

use super::Args;
use super::launches::GivenLaunch;
use super::preconditions::GivenPrecondition;

/// The file's name.
pub const NAME: &str = "duet.toml";

/// What a key may be.
#[derive(Clone, PartialEq, Debug)]
enum Setting {
    Text(String),
    Number(u64),
    List(Vec<String>),
}

/// Adds what the nearest project file says to the options.
pub fn apply(args: &mut Args) -> Result<(), String> {
    let file = args.stands_for.as_ref().unwrap_or(&args.frontend.file);
    let Some(path) = find(file) else { return Ok(()) };
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let settings = parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    for (line, key, setting) in settings {
        set(args, &folder, &key, setting)
            .map_err(|error| format!("{}:{line}: {error}", path.display()))?;
    }
    Ok(())
}

fn find(file: &Path) -> Option<PathBuf> {
    let named = PathBuf::from(file.to_string_lossy().trim_start_matches('@'));
    let whole = named.canonicalize().ok()?;
    whole.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
}

fn set(args: &mut Args, folder: &Path, key: &str, setting: Setting) -> Result<(), String> {
    let frontend = &mut args.frontend;
    match (key, setting) {
        ("include", Setting::List(folders)) => {
            frontend.include_dirs.extend(folders.iter().map(|one| folder.join(one)));
        }
        ("define", Setting::List(defines)) => frontend.defines.extend(defines),
        ("std", Setting::Text(standard)) => {
            frontend.standard.get_or_insert(standard);
        }
        ("build", Setting::Text(build)) => {
            args.build.get_or_insert(folder.join(build));
        }
        ("baseline", Setting::Text(file)) => {
            args.baseline.get_or_insert(folder.join(file));
        }
        ("launch", Setting::List(launches)) => {
            let launches: Result<Vec<GivenLaunch>, String> =
                launches.iter().map(|text| text.parse()).collect();
            if args.launches.is_empty() {
                args.launches = launches?;
            }
        }
        ("requires", Setting::List(lines)) => {
            let all: Result<Vec<GivenPrecondition>, String> =
                lines.iter().map(|line| line.parse()).collect();
            args.preconditions.extend(all?);
        }
        ("accept", Setting::List(lines)) => {
            let mut trial = Baseline::default();
            lines.iter().try_for_each(|line| trial.accept(line))?;
            args.accepted.extend(lines);
        }
        ("include" | "define" | "launch" | "requires" | "accept", _) => {
            return Err(format!("`{key}` is a list of texts"));
        }
        ("std" | "build" | "baseline", _) => return Err(format!("`{key}` is a text")),
        (_, _) => {
            return Err(format!(
                "there is no key `{key}`; there are include, define, std, build, baseline, launch, requires and accept"
            ));
        }
    }
    Ok(())
}

/// The settings, each with its line.
fn parse(text: &str) -> Result<Vec<(usize, String, Setting)>, String> {
    let mut settings = vec![];
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let mut line = without_comment(line).trim().to_string();
        if line.is_empty() {
            continue;
        }
        if line.starts_with('[') {
            return Err(format!("line {}: there are no tables", number + 1));
        }
        // A list may go over several lines.
        while line.contains('[') && !line.ends_with(']') {
            let Some((_, more)) = lines.next() else { break };
            line.push_str(without_comment(more).trim());
        }
        let (key, value) = line
            .split_once('=')
            .ok_or_else(|| format!("line {}: neither a key nor a comment", number + 1))?;
        let setting = value_of(value.trim())
            .ok_or_else(|| format!("line {}: `{}` is no value", number + 1, value.trim()))?;
        settings.push((number + 1, key.trim().to_string(), setting));
    }
    Ok(settings)
}

fn value_of(text: &str) -> Option<Setting> {
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']')?;
        return texts(inner).map(Setting::List);
    }
    match texts(text) {
        Some(list) => <[String; 1]>::try_from(list).ok().map(|[one]| Setting::Text(one)),
        None => text.parse().ok().map(Setting::Number),
    }
}

/// Texts in quotes, with commas between them.
fn texts(text: &str) -> Option<Vec<String>> {
    let mut found = vec![];
    let mut rest = text.trim();
    while !rest.is_empty() {
        let quote = rest.chars().next().filter(|one| ['"', '\''].contains(one))?;
        let inner = &rest[1..];
        let end = inner.find(quote)?;
        found.push(inner[..end].to_string());
        rest = inner[end + 1..].trim_start();
        match rest.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None if rest.is_empty() => {}
            None => return None,
        }
    }
    Some(found)
}

fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None if letter == '#' => return &line[..at],
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let text =
            "# a comment\ninclude = [\"inc\", # of ours\n  'other']\nstd = \"c++17\"\nn = 3\n";
        let settings = parse(text).expect("settings");
        let list = Setting::List(vec!["inc".to_string(), "other".to_string()]);
        assert_eq!(settings[0], (2, "include".to_string(), list));
        assert_eq!(settings[1].2, Setting::Text("c++17".to_string()));
        assert_eq!(settings[2].2, Setting::Number(3));
        for wrong in ["include", "include = [\"a\"", "std = c++17", "[kernel]", "a = \"x\" \"y\""] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
