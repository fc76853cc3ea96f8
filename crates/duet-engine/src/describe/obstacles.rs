//! What stood in the way of a proof, in the user's words, and what to add to the
//! source, as text to paste.

use duet_ir::Language;

use duet_ask::{Obstacle, Variable};

use super::Describe;

/// Invariants of a loop that are listed.
const MOST_INVARIANTS: usize = 6;

impl Describe<'_> {
    /// One note about all obstacles; none if there are none.
    pub(super) fn obstacles(&self, obstacles: &[Obstacle]) -> Option<String> {
        let lines: Vec<String> = obstacles.iter().map(|one| self.obstacle(one)).collect();
        (!lines.is_empty()).then(|| format!("what stood in the way:\n{}", lines.join("\n")))
    }

    fn obstacle(&self, obstacle: &Obstacle) -> String {
        match obstacle {
            Obstacle::Loop { line, variables, invariants, .. } => {
                let state = variables_in_words(variables);
                let state = match state.is_empty() {
                    true => String::new(),
                    false => format!("\nwhat breaks the proof there: {state}"),
                };
                let known = match invariants.len() {
                    0 => "no invariant was found".to_string(),
                    all => {
                        let more = if all > MOST_INVARIANTS { "; ..." } else { "" };
                        let shown = &invariants[..all.min(MOST_INVARIANTS)];
                        format!("found: {}{more}", shown.join("; "))
                    }
                };
                format!("the loop{}: its invariants are too weak; {known}{state}", at(*line))
            }
            Obstacle::Contents { array, lines, is_written: false, .. } => format!(
                "`{}`{}: it may hold anything that the host passes",
                self.array_name(*array),
                read_at(lines)
            ),
            Obstacle::Contents { array, lines, .. } => format!(
                "`{}`{}: what it holds after other threads wrote it is not known",
                self.array_name(*array),
                read_at(lines)
            ),
            Obstacle::Result { what, line } => format!("what {what} is not known{}", at(*line)),
            Obstacle::NotMet { assumed } => format!(
                "it would be proved if {}, but no run that was tried keeps to that",
                assumed.join(", and ")
            ),
            Obstacle::Function => {
                "floating-point operations and mathematical functions are unknown functions"
                    .to_string()
            }
            Obstacle::AboutTwoThreads { lines } => format!(
                "what is assumed at {} speaks of two threads: it was not used, and no run was \
                 looked for",
                lines_in_words(lines)
            ),
            Obstacle::Fences { lines, flags } => {
                let fences = format!(
                    "{} at {}",
                    if lines.len() == 1 { "fence" } else { "fences" },
                    lines_in_words(lines)
                );
                match flags.len() {
                    0 => format!(
                        "no run that was tried shows it: the {fences} may order the accesses; \
                         Duet does not prove this protocol"
                    ),
                    number => format!(
                        "ordered in every run tried by the {} at {}, with the {fences}; Duet \
                         does not prove this protocol",
                        if number == 1 { "flag" } else { "flags" },
                        lines_in_words(flags)
                    ),
                }
            }
            Obstacle::Products { of } => {
                let of: Vec<String> =
                    of.iter().map(|name| format!("`{}`", self.size(name))).collect();
                format!("the question multiplies or divides {}", of.join(", "))
            }
        }
    }

    /// What the user can add.
    pub(super) fn advice(&self, obstacles: &[Obstacle]) -> Option<String> {
        obstacles.iter().find_map(|obstacle| match obstacle {
            Obstacle::Loop { line, variables, guard, .. } => {
                let name = variables.iter().find_map(|one| one.name.clone());
                let guard = guard.clone().filter(|guard| is_readable(guard));
                let example = match (guard, &name) {
                    (Some(guard), Some(name)) if !mentions(&guard, name) => {
                        format!("`__invariant({name} >= 0), {guard}`")
                    }
                    (Some(guard), _) => {
                        format!("`__invariant({}), {guard}`", weakened(&guard))
                    }
                    (None, Some(name)) => format!("`__invariant({name} >= 0)`"),
                    (None, None) => return None,
                };
                let about = name.map_or(String::new(), |name| format!(" of `{name}`"));
                Some(format!(
                    "if that state is out of reach, say what is known{about} in the test of the \
                     loop{}, in the manner of {example}",
                    at(*line)
                ))
            }
            Obstacle::Contents { lines, into, .. } => {
                let into = into.as_deref().unwrap_or("value");
                let line = lines.first().copied();
                Some(format!(
                    "if more is known of it, say so after it is read{}, in the manner of \
                     `__assume(0 <= {into} && {into} < n);`",
                    at(line)
                ))
            }
            Obstacle::Products { of } => Some(self.fix_one(of)),
            Obstacle::Result { .. }
            | Obstacle::Function
            | Obstacle::AboutTwoThreads { .. }
            | Obstacle::Fences { .. }
            | Obstacle::NotMet { .. } => None,
        })
    }

    /// Fewer products of unknowns: sizes and arguments that are numbers.
    fn fix_one(&self, of: &[String]) -> String {
        let has = |word: &str| of.iter().any(|name| name.starts_with(word));
        let (block, grid) = match self.module.language {
            Language::Cuda => ("--blockDim=64", "--gridDim=4"),
            Language::OpenCl => ("--local_size=64", "--num_groups=4"),
        };
        let mut ways = vec![];
        ways.extend(has("blockDim").then(|| format!("`{block}`")));
        ways.extend(has("gridDim").then(|| format!("`{grid}`")));
        let is_size = |name: &str| name.starts_with("blockDim.") || name.starts_with("gridDim.");
        let argument = of.iter().find(|name| !is_size(name));
        ways.extend(argument.map(|name| format!("`__requires({name} == 1024);`")));
        format!("fixed numbers make it easy, in the manner of {}", ways.join(" or "))
    }

    /// A launch size in the words of the language.
    fn size(&self, name: &str) -> String {
        let dim = |name: &str| ["x", "y", "z"].iter().position(|one| name.ends_with(one));
        match (self.module.language, name.split('.').next(), dim(name)) {
            (Language::OpenCl, Some("blockDim"), Some(dim)) => format!("get_local_size({dim})"),
            (Language::OpenCl, Some("gridDim"), Some(dim)) => format!("get_num_groups({dim})"),
            _ => name.to_string(),
        }
    }
}

fn at(line: Option<u32>) -> String {
    line.map_or(String::new(), |line| format!(" at line {line}"))
}

fn read_at(lines: &[u32]) -> String {
    match lines.is_empty() {
        true => String::new(),
        false => format!(", read at {}", lines_in_words(lines)),
    }
}

/// `line 4`, `lines 4, 7`.
fn lines_in_words(lines: &[u32]) -> String {
    let words: Vec<String> = lines.iter().map(u32::to_string).collect();
    format!("line{} {}", if words.len() == 1 { "" } else { "s" }, words.join(", "))
}

/// `i = 5 (first thread)`.
fn variables_in_words(variables: &[Variable]) -> String {
    let words: Vec<String> = variables
        .iter()
        .map(|one| {
            let what = match &one.name {
                Some(name) => format!("{name} = {}", one.value),
                None => format!("iteration {}", one.value),
            };
            match one.thread {
                1 => format!("{what} (first thread)"),
                2 => format!("{what} (second thread)"),
                _ => what,
            }
        })
        .collect();
    words.join(", ")
}

/// Is the text one that the user would recognise?
fn is_readable(text: &str) -> bool {
    let internal = |word: &str| {
        word.strip_prefix('v').is_some_and(|rest| {
            !rest.is_empty() && rest.chars().all(|letter| letter.is_ascii_digit())
        })
    };
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    text.len() <= 60 && !words.into_iter().any(internal)
}

/// Is the name a word of the text?
fn mentions(text: &str, name: &str) -> bool {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .any(|word| word == name)
}

/// What still holds of a test after the last iteration: `i <= n` of `i < n`.
fn weakened(guard: &str) -> String {
    for (strict, weak) in [(" < ", " <= "), (" > ", " >= ")] {
        if guard.matches(strict).count() == 1 {
            return guard.replace(strict, weak);
        }
    }
    guard.to_string()
}

#[cfg(test)]
mod tests {
    use super::{is_readable, weakened};

    #[test]
    fn tests_of_loops_become_invariants() {
        assert_eq!(weakened("i < n"), "i <= n");
        assert_eq!(weakened("d > 0"), "d >= 0");
        assert!(is_readable("i < n"));
        assert!(!is_readable("v12 < n"));
        assert!(is_readable("value < v_max"));
    }
}
