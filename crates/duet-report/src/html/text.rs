//! Text with markup. What comes from the user goes in escaped.

/// A piece of the page.
#[derive(Default)]
pub struct Text(String);

impl Text {
    /// Markup of our own.
    pub fn raw(&mut self, markup: &str) -> &mut Text {
        self.0.push_str(markup);
        self
    }

    /// Any text.
    pub fn text(&mut self, text: &str) -> &mut Text {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(c),
                // No control characters, nor those that turn the direction of text.
                c if c.is_control()
                    || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
                {
                    self.0.push(char::REPLACEMENT_CHARACTER);
                }
                c => self.0.push(c),
            }
        }
        self
    }

    /// A sentence: what stands between backquotes is code.
    pub fn prose(&mut self, text: &str) -> &mut Text {
        let mut parts = text.split('`').peekable();
        let mut inside = false;
        while let Some(part) = parts.next() {
            // A last backquote without a partner is one.
            let closed = inside && parts.peek().is_some();
            match (closed, inside) {
                (true, _) => self.raw("<code>").text(part).raw("</code>"),
                (false, true) => self.text("`").text(part),
                (false, false) => self.text(part),
            };
            inside = !inside;
        }
        self
    }

    /// ` name="value"`.
    pub fn attribute(&mut self, name: &str, value: &str) -> &mut Text {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// `<tag>text</tag>`.
    pub fn element(&mut self, tag: &str, text: &str) -> &mut Text {
        self.raw("<").raw(tag).raw(">").text(text).raw("</").raw(tag).raw(">\n")
    }

    /// The whole.
    pub fn finish(self) -> String {
        self.0
    }
}

/// Text as it stands in markup.
pub fn escape(text: &str) -> String {
    let mut escaped = Text::default();
    escaped.text(text);
    escaped.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(text: &str) -> String {
        let mut page = Text::default();
        page.prose(text);
        page.finish()
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
        assert_eq!(escape("a\u{1b}[1m\u{202e}b"), "a\u{fffd}[1m\u{fffd}b");
    }

    #[test]
    fn code_stands_between_backquotes() {
        assert_eq!(prose("write `a<1>` now"), "write <code>a&lt;1&gt;</code> now");
        assert_eq!(prose("one ` alone"), "one ` alone");
        assert_eq!(prose("`a` and ` b"), "<code>a</code> and ` b");
    }
}
