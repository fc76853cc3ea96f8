//! Lines of the source that mend an order by fences and flags: a fence more, a wider scope, a
//! volatile access.
//!
//! The check has found a change of the kernel with which it is proved, and says at which
//! instruction. Here are the lines that may make that change in the source, the likeliest
//! first. Whether one does is not known here: each is put into a copy of the source, and
//! that is read and checked, before it is shown.

use duet_engine::check::{Finding, KernelReport};
use duet_engine::mend::{Place, Suggestion};
use duet_ir::{Func, Inst, Module, Rule, SourceSpan};

/// Lines behind that of the flag before which a fence is tried.
const LINES_BEHIND: u32 = 4;
/// Lines with a scope in the type that are tried.
const MOST_LINES: usize = 4;
/// The statement.
const FENCE: &str = "__threadfence();";

/// The text of the file that a span is in.
pub type Source<'a> = &'a dyn Fn(&SourceSpan) -> Option<String>;

/// Lines that may mend the findings about order, by finding.
pub fn order_fixes(
    module: &Module,
    kernel: Func,
    report: &KernelReport,
    source: Source<'_>,
) -> Vec<Vec<Suggestion>> {
    let of = |(number, finding): (usize, &Finding)| {
        let func = &module.functions[kernel];
        let inst = finding.primary?;
        let near = module.span_of_inst(func, inst)?;
        let text = source(&near)?;
        let lines: Vec<&str> = text.lines().collect();
        let edits = edits(module, kernel, finding.rule, inst, near.line, &lines);
        let suggestion = |(place, text): (Place, String)| Suggestion {
            finding: number,
            place,
            near: near.clone(),
            text,
            proves: true,
        };
        Some(edits.into_iter().map(suggestion).collect::<Vec<_>>())
    };
    report.findings.iter().enumerate().filter_map(of).filter(|all| !all.is_empty()).collect()
}

fn edits(
    module: &Module,
    kernel: Func,
    rule: Rule,
    inst: Inst,
    line: u32,
    lines: &[&str],
) -> Vec<(Place, String)> {
    if rule == Rule::MissingFence {
        return fences(line, lines);
    }
    if rule == Rule::FenceScopeTooNarrow || rule == Rule::AtomicScopeTooNarrow {
        return scopes(line, lines);
    }
    if rule == Rule::PlainAccessToFlag {
        let func = &module.functions[kernel];
        let access = func.insts[inst].accesses().first().map(|(_, access)| access.array);
        let name = access.map(|array| func.array_name(module, array).to_string());
        let edit = name.and_then(|name| volatile(line, lines, &name));
        return edit.into_iter().collect();
    }
    vec![]
}

/// A fence before the line of the flag, or before one of those behind it. A statement that is
/// all of a branch is put into braces with the fence.
fn fences(line: u32, lines: &[&str]) -> Vec<(Place, String)> {
    let mut edits = vec![];
    for number in line..=line + LINES_BEHIND {
        edits.push((Place::Before(number), FENCE.to_string()));
    }
    for number in line..=line + LINES_BEHIND {
        let Some(text) = line_at(lines, number) else { continue };
        let (indent, statement) = text.split_at(text.len() - text.trim_start().len());
        if statement.len() > 1 && statement.ends_with(';') && !statement.contains("//") {
            let both = format!("{indent}{{ {FENCE} {statement} }}");
            edits.push((Place::Instead(number), both));
        }
    }
    edits
}

/// The scope of the block as one of the device: in the line itself, or in a type.
fn scopes(line: u32, lines: &[&str]) -> Vec<(Place, String)> {
    let widened = |number: u32| {
        let text = line_at(lines, number)?;
        let wide = widen(text);
        (wide != text).then_some((Place::Instead(number), wide))
    };
    let others = (1..=lines.len() as u32).filter(|&other| other != line);
    let types = others.filter(|&other| {
        line_at(lines, other).is_some_and(|text| text.contains("thread_scope_block"))
    });
    widened(line).into_iter().chain(types.filter_map(widened).take(MOST_LINES)).collect()
}

/// The line with every scope of the block as one of the device.
fn widen(text: &str) -> String {
    let text = text
        .replace("__threadfence_block(", "__threadfence(")
        .replace("thread_scope_block", "thread_scope_device");
    let mut parts = text.split("_block(");
    let mut wide = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let name = wide.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
        let is_atomic = name.is_some_and(|name| name.starts_with("atomic"));
        wide.push_str(if is_atomic { "(" } else { "_block(" });
        wide.push_str(part);
    }
    wide
}

/// The line with the one use of the name as a volatile access.
fn volatile(line: u32, lines: &[&str], name: &str) -> Option<(Place, String)> {
    let text = line_at(lines, line)?;
    let places = uses(text, name);
    let &[at] = &places[..] else { return None };
    let (ty, is_pointer) = lines.iter().find_map(|text| declared(text, name))?;
    let access = match is_pointer {
        true => format!("((volatile {ty} *){name})"),
        false => format!("(*(volatile {ty} *)&{name})"),
    };
    let new = format!("{}{access}{}", &text[..at], &text[at + name.len()..]);
    Some((Place::Instead(line), new))
}

/// Where a name stands in a line, as a word of its own.
fn uses(text: &str, name: &str) -> Vec<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_whole = |&at: &usize| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(is_part) && !behind.starts_with(is_part)
    };
    text.match_indices(name).map(|(at, _)| at).filter(is_whole).collect()
}

/// The type of what a name stands for where a line declares it, and whether it is a pointer.
fn declared(text: &str, name: &str) -> Option<(String, bool)> {
    let at = *uses(text, name).first()?;
    let before = text[..at].rsplit(['(', ',']).next()?.replace("__restrict__", " ");
    let is_pointer = before.trim_end().ends_with('*');
    let attributes = ["__device__", "__shared__", "static", "const", "__managed__"];
    let words = before.trim_end().trim_end_matches('*').split_whitespace();
    let words: Vec<&str> = words.filter(|word| !attributes.contains(word)).collect();
    let is_type = |word: &str| {
        let is_name = word.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_name && !word.starts_with(|c: char| c.is_ascii_digit()) && word != "return"
    };
    let is_known = !words.is_empty() && words.iter().all(|word| is_type(word));
    is_known.then(|| (words.join(" "), is_pointer))
}

fn line_at<'t>(lines: &[&'t str], number: u32) -> Option<&'t str> {
    lines.get(number.checked_sub(1)? as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::{Place, declared, fences, volatile, widen};

    #[test]
    fn scopes_of_the_block_become_those_of_the_device() {
        assert_eq!(widen("  __threadfence_block();"), "  __threadfence();");
        assert_eq!(widen("x = atomicAdd_block(p, f_block(1));"), "x = atomicAdd(p, f_block(1));");
        assert_eq!(widen("ref<int, thread_scope_block> r;"), "ref<int, thread_scope_device> r;");
    }

    #[test]
    fn a_plain_access_becomes_volatile() {
        let lines = ["__global__ void k(int *data, unsigned *flag) {", "  flag[0] = 1;"];
        let new = "  ((volatile unsigned *)flag)[0] = 1;".to_string();
        assert_eq!(volatile(2, &lines, "flag"), Some((Place::Instead(2), new)));
        assert_eq!(declared("__device__ int ready;", "ready"), Some(("int".into(), false)));
        assert_eq!(declared("  a = ready;", "ready"), None);
        assert_eq!(volatile(2, &["int *f;", "f[0] = f[1];"], "f"), None, "which of the two?");
    }

    #[test]
    fn a_fence_goes_before_or_behind_the_line() {
        let edits = fences(2, &["if (a)", "  set(f);", "}"]);
        assert!(edits.contains(&(Place::Before(2), "__threadfence();".into())));
        let both = "  { __threadfence(); set(f); }".to_string();
        assert!(edits.contains(&(Place::Instead(2), both)), "{edits:?}");
    }
}
