//! Files divided by lines `==== name` into an input and sections that say what
//! is expected of it.

use std::fmt;

/// A file's input and its sections, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sections {
    /// What comes before the first section.
    pub input: String,
    /// Name and text of each section.
    sections: Vec<(String, String)>,
}

impl Sections {
    /// Divides a text.
    pub fn split(text: &str) -> Sections {
        let mut result = Sections { input: String::new(), sections: Vec::new() };
        for line in text.split_inclusive('\n') {
            match (line.strip_prefix("==== "), result.sections.last_mut()) {
                (Some(name), _) => {
                    result.sections.push((name.trim().to_string(), String::new()));
                }
                (None, Some((_, body))) => body.push_str(line),
                (None, None) => result.input.push_str(line),
            }
        }
        result
    }

    /// The names of the sections, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|(name, _)| name.as_str())
    }

    /// The text of a section.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.sections.iter().find(|(found, _)| found == name).map(|(_, body)| body.as_str())
    }

    /// Sets the text of a section, which comes last if it is new.
    pub fn set(&mut self, name: &str, body: impl Into<String>) {
        let mut body = body.into();
        if !body.is_empty() && !body.ends_with('\n') {
            body.push('\n');
        }
        match self.sections.iter_mut().find(|(found, _)| found == name) {
            Some((_, old)) => *old = body,
            None => self.sections.push((name.to_string(), body)),
        }
    }
}

impl fmt::Display for Sections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.input)?;
        for (name, body) in &self.sections {
            write!(f, "==== {name}\n{body}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Sections;

    #[test]
    fn printing_undoes_splitting() {
        let text = "in\nput\n==== a\n1\n==== b\n";
        let sections = Sections::split(text);
        assert_eq!(sections.input, "in\nput\n");
        assert_eq!(sections.names().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((sections.get("a"), sections.get("b")), (Some("1\n"), Some("")));
        assert_eq!(sections.to_string(), text);
    }

    #[test]
    fn setting_replaces_or_appends() {
        let mut sections = Sections::split("x\n==== a\n1\n");
        sections.set("a", "2");
        sections.set("b", "3\n");
        assert_eq!(sections.to_string(), "x\n==== a\n2\n==== b\n3\n");
    }
}
