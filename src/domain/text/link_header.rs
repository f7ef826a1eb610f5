//! Parser for `Link` headers (RFC 8288).

/// One link of a `Link` header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderLink {
    /// The target as written, not resolved.
    pub target: String,
    parameters: Vec<(String, String)>,
}

impl HeaderLink {
    /// The value of a parameter; the first one if repeated.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Whether `rel` contains the relation, ignoring case.
    pub fn is(&self, relation: &str) -> bool {
        let own = self.parameter("rel").unwrap_or_default();
        own.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(relation))
    }
}

/// Parses all links of a header value. Stops at the first syntax error (RFC 8288, B.2).
pub fn links(value: &str) -> Vec<HeaderLink> {
    let mut found = Vec::new();
    let mut rest = value;
    while let Some(after) = rest.trim_start_matches([' ', '\t', ',']).strip_prefix('<') {
        let Some((target, after)) = after.split_once('>') else { break };
        let (parameters, after) = parameters(after);
        found.push(HeaderLink { target: target.trim().to_owned(), parameters });
        rest = after;
    }
    found
}

/// Parses the parameters up to the comma that ends a link; returns the rest.
fn parameters(mut rest: &str) -> (Vec<(String, String)>, &str) {
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start();
        let Some(after) = rest.strip_prefix(';') else { return (found, rest) };
        let after = after.trim_start();
        let end = after.find(['=', ';', ',']).unwrap_or(after.len());
        let (name, after) = after.split_at(end);
        let (value, after) = match after.strip_prefix('=') {
            Some(after) => value(after.trim_start()),
            None => (String::new(), after),
        };
        found.push((name.trim().to_ascii_lowercase(), value));
        rest = after;
    }
}

/// Parses a token or quoted string; returns the rest.
fn value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ',']).unwrap_or(text.len());
        return (text[..end].trim().to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut signs = quoted.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(signs.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_distinguished_from_similar_text() {
        let header = r#"</a.css>; rel=preload; as=style, <https://shop.example/a,b>; title="x; rel=\"canonical\""; REL="me Canonical", </c>;rel=alternate;hreflang="de" ;crossorigin, nonsense"#;
        let found = links(header);
        assert_eq!(
            found.iter().map(|link| link.target.as_str()).collect::<Vec<_>>(),
            ["/a.css", "https://shop.example/a,b", "/c"]
        );
        assert_eq!(found.iter().map(|link| link.is("canonical")).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(found[1].parameter("title"), Some(r#"x; rel="canonical""#));
        assert_eq!(found[2].parameter("hreflang"), Some("de"));
        for header in ["", "nonsense", "<https://shop.example", "<a>;", "<a>; rel=\"canonical"] {
            let _ = links(header);
        }
    }
}
