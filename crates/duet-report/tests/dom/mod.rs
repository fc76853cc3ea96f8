//! A tree of elements out of strict HTML: every tag is closed, every attribute quoted.
//! Enough to ask what is in a page; it is no browser.

/// An element.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub tag: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Child>,
}

/// What is in an element.
#[derive(Clone, Debug)]
pub enum Child {
    Node(Node),
    Text(String),
}

/// Elements that have no end.
const VOID: [&str; 4] = ["meta", "input", "br", "hr"];

/// The tree of a page; an error says where it is not one.
pub fn parse(html: &str) -> Result<Node, String> {
    let mut rest = html.trim_start();
    rest = rest.strip_prefix("<!DOCTYPE html>").ok_or("there is no doctype")?;
    let mut open = vec![Node::default()];
    while !rest.is_empty() {
        let top = open.last().map(|node| node.tag.clone()).unwrap_or_default();
        if let Some(raw) = Some(top.as_str()).filter(|tag| ["script", "style"].contains(tag)) {
            let end = rest.find(&format!("</{raw}>")).ok_or("a script without an end")?;
            add(&mut open, Child::Text(rest[..end].to_owned()))?;
            rest = &rest[end..];
        }
        match rest.strip_prefix('<') {
            None => {
                let end = rest.find('<').unwrap_or(rest.len());
                add(&mut open, Child::Text(unescaped(&rest[..end])?))?;
                rest = &rest[end..];
            }
            Some(tag) => {
                let end = end_of_tag(tag).ok_or("a tag without an end")?;
                element(&mut open, &tag[..end])?;
                rest = &tag[end + 1..];
            }
        }
    }
    match (open.len(), open.pop()) {
        (1, Some(root)) => Ok(root),
        (_, node) => Err(format!("not closed: {:?}", node.map(|node| node.tag))),
    }
}

/// The place of the `>` that is in no string.
fn end_of_tag(tag: &str) -> Option<usize> {
    let mut inside = false;
    tag.char_indices().find_map(|(at, c)| {
        inside ^= c == '"';
        (c == '>' && !inside).then_some(at)
    })
}

fn add(open: &mut [Node], child: Child) -> Result<(), String> {
    open.last_mut().ok_or("text outside of everything")?.children.push(child);
    Ok(())
}

fn element(open: &mut Vec<Node>, tag: &str) -> Result<(), String> {
    if let Some(name) = tag.strip_prefix('/') {
        let node = open.pop().filter(|node| node.tag == name);
        let node = node.ok_or(format!("</{name}> closes something else"))?;
        return add(open, Child::Node(node));
    }
    let (tag, closed) = match tag.strip_suffix('/') {
        Some(tag) => (tag, true),
        None => (tag, false),
    };
    let (name, mut rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let mut node = Node { tag: name.to_owned(), ..Node::default() };
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let key = rest[..end].to_owned();
        rest = &rest[end..];
        let Some(value) = rest.strip_prefix("=\"") else {
            node.attributes.push((key, String::new()));
            continue;
        };
        let (value, after) = value.split_once('"').ok_or(format!("{key} has no end"))?;
        node.attributes.push((key, unescaped(value)?));
        rest = after;
    }
    match closed || VOID.contains(&name) {
        true => add(open, Child::Node(node)),
        false => {
            open.push(node);
            Ok(())
        }
    }
}

fn unescaped(text: &str) -> Result<String, String> {
    let mut result = String::new();
    let mut parts = text.split('&');
    result += parts.next().unwrap_or_default();
    for part in parts {
        let (name, rest) = part.split_once(';').ok_or(format!("a bare & before {part:?}"))?;
        result.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "#39" => '\'',
            "nbsp" => '\u{a0}',
            other => return Err(format!("&{other};")),
        });
        result += rest;
    }
    Ok(result)
}

impl Node {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The text of the element and all in it; blanks become one.
    pub fn text(&self) -> String {
        let mut all = String::new();
        self.collect_text(&mut all);
        all.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn collect_text(&self, all: &mut String) {
        for child in &self.children {
            match child {
                Child::Text(text) => all.push_str(text),
                Child::Node(node) => node.collect_text(all),
            }
        }
    }

    /// Every element below this one.
    pub fn everything(&self) -> Vec<&Node> {
        let mut all = vec![];
        for child in &self.children {
            if let Child::Node(node) = child {
                all.push(node);
                all.extend(node.everything());
            }
        }
        all
    }

    /// The elements that a selector of tags and classes names: `.run td`, `details.notes`.
    pub fn all(&self, selector: &str) -> Vec<Node> {
        let Some((first, rest)) = selector.split_once(' ') else {
            return self
                .everything()
                .into_iter()
                .filter(|node| node.is(selector))
                .cloned()
                .collect();
        };
        let outer = self.everything().into_iter().filter(|node| node.is(first));
        outer.flat_map(|node| node.all(rest)).collect()
    }

    fn is(&self, simple: &str) -> bool {
        let mut parts = simple.split('.');
        let tag = parts.next().unwrap_or_default();
        let classes: Vec<&str> = self.attribute("class").unwrap_or_default().split(' ').collect();
        (tag.is_empty() || self.tag == tag) && parts.all(|class| classes.contains(&class))
    }
}
