//! Shows how two texts differ: what is left when common first and last lines are
//! taken away. Enough for expectations, which differ in few places.

use std::fmt::Write;

/// Lines of each side that are shown.
const SHOWN: usize = 40;

/// The lines that differ, with the line number of the first.
pub fn changes(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[start..], &new[start..]);
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let mut out = format!("line {}\n", start + 1);
    write_side(&mut out, '-', &old[..old.len() - same]);
    write_side(&mut out, '+', &new[..new.len() - same]);
    out
}

fn write_side(out: &mut String, sign: char, lines: &[&str]) {
    for line in lines.iter().take(SHOWN) {
        let _ = writeln!(out, "{sign} {line}");
    }
    if let Some(more) = lines.len().checked_sub(SHOWN + 1) {
        let _ = writeln!(out, "{sign} … and {} more lines", more + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[test]
    fn common_lines_are_left_out() {
        assert_eq!(changes("a\nb\nd\n", "a\nc\nc\nd\n"), "line 2\n- b\n+ c\n+ c\n");
    }

    #[test]
    fn one_side_may_be_a_part_of_the_other() {
        assert_eq!(changes("a\na\n", "a\n"), "line 2\n- a\n");
    }

    #[test]
    fn long_sides_are_cut() {
        let old = "x\n".repeat(100);
        assert!(changes(&old, "").ends_with("- … and 60 more lines\n"));
    }
}
