//! Content Security Policies (CSP Level 3) and their combined effect.

/// One enforced policy.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CspPolicy {
    /// Names and source lists in lower case; of a repeated directive only the first counts.
    directives: Vec<(String, Vec<String>)>,
}

impl CspPolicy {
    fn parse(text: &str, ignored: &[&str]) -> Option<Self> {
        let mut directives: Vec<(String, Vec<String>)> = Vec::new();
        for directive in text.split(';') {
            let mut words = directive.split_ascii_whitespace().map(str::to_ascii_lowercase);
            let Some(name) = words.next() else { continue };
            let is_known = directives.iter().any(|(own, _)| *own == name);
            if !is_known && !ignored.contains(&name.as_str()) {
                directives.push((name, words.collect()));
            }
        }
        (!directives.is_empty()).then_some(Self { directives })
    }

    /// Returns the source list of the first directive of a fallback chain that the policy has.
    fn sources(&self, chain: &[&str]) -> Option<&[String]> {
        chain.iter().find_map(|name| {
            let found = self.directives.iter().find(|(own, _)| own == name);
            found.map(|(_, sources)| sources.as_slice())
        })
    }
}

/// All enforced policies of a page. A request needs the permission of each, so the strictest decides.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::audit) struct CspPolicies(Vec<CspPolicy>);

/// Directives that browsers ignore in a meta element.
const NOT_IN_METAS: [&str; 3] = ["frame-ancestors", "report-uri", "sandbox"];
/// Fallback chains: the first directive that a policy has decides.
pub(in crate::audit) const SCRIPT_ELEMENTS: [&str; 3] = ["script-src-elem", "script-src", "default-src"];
pub(in crate::audit) const SCRIPT_ATTRIBUTES: [&str; 3] = ["script-src-attr", "script-src", "default-src"];
pub(in crate::audit) const SCRIPTS: [&str; 2] = ["script-src", "default-src"];
pub(in crate::audit) const PLUGINS: [&str; 2] = ["object-src", "default-src"];
pub(in crate::audit) const BASES: [&str; 1] = ["base-uri"];
pub(in crate::audit) const FRAME_ANCESTORS: [&str; 1] = ["frame-ancestors"];
/// Not a source list: browsers load every part of the page and send every form over https.
pub(in crate::audit) const UPGRADES: [&str; 1] = ["upgrade-insecure-requests"];

impl CspPolicies {
    /// Parses the policies of headers, each of which may hold several, and of meta elements.
    pub(in crate::audit) fn parse<'a>(
        headers: impl IntoIterator<Item = &'a str>,
        metas: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let in_headers =
            headers.into_iter().flat_map(|value| value.split(',')).filter_map(|text| CspPolicy::parse(text, &[]));
        let in_metas = metas.into_iter().filter_map(|text| CspPolicy::parse(text, &NOT_IN_METAS));
        Self(in_headers.chain(in_metas).collect())
    }

    /// Returns the names of all directives.
    pub(in crate::audit) fn names(&self) -> Vec<&str> {
        self.0.iter().flat_map(|policy| &policy.directives).map(|(name, _)| name.as_str()).collect()
    }

    /// Whether any policy has a directive of the chain.
    pub(in crate::audit) fn restrict(&self, chain: &[&str]) -> bool {
        self.0.iter().any(|policy| policy.sources(chain).is_some())
    }

    /// Whether every policy that has a directive of the chain passes the test.
    fn allow(&self, chain: &[&str], test: impl Fn(&[String]) -> bool) -> bool {
        self.0.iter().filter_map(|policy| policy.sources(chain)).all(test)
    }

    /// Whether inline scripts may run. Browsers ignore `'unsafe-inline'` beside a nonce, a hash or `'strict-dynamic'`.
    pub(in crate::audit) fn allow_inline(&self, chain: &[&str]) -> bool {
        self.allow(chain, |sources| {
            let outdated = |source: &String| {
                source.starts_with("'nonce-") || source.starts_with("'sha") || source == "'strict-dynamic'"
            };
            has(sources, "'unsafe-inline'") && !sources.iter().any(outdated)
        })
    }

    /// Whether scripts may call `eval`.
    pub(in crate::audit) fn allow_eval(&self) -> bool {
        self.allow(&SCRIPTS, |sources| has(sources, "'unsafe-eval'"))
    }

    /// Whether scripts are trusted by a nonce or by the script that loads them, whatever their host.
    pub(in crate::audit) fn trust_by_nonce(&self) -> bool {
        let lists = self.0.iter().filter_map(|policy| policy.sources(&SCRIPT_ELEMENTS));
        lists.flatten().any(|source| source.starts_with("'nonce-") || source == "'strict-dynamic'")
    }

    /// Returns the first source that loads over plain http, if every policy has such a source.
    pub(in crate::audit) fn plain_source(&self, chain: &[&str]) -> Option<&str> {
        self.in_every_policy(chain, |source| source.starts_with("http://") && !is_open(source))
    }

    /// Returns the first source that any host or any `data:` URL satisfies; `None` when some policy has no such source,
    /// or when no policy has a directive of the chain.
    pub(in crate::audit) fn open_source(&self, chain: &[&str]) -> Option<&str> {
        self.in_every_policy(chain, is_open)
    }

    /// Returns the first source that passes the test, if every policy with a directive of the chain has one.
    fn in_every_policy(&self, chain: &[&str], test: impl Fn(&str) -> bool) -> Option<&str> {
        let lists = self.0.iter().filter_map(|policy| policy.sources(chain));
        // With `'strict-dynamic'` browsers ignore schemes and hosts: only scripts loaded by a trusted script run.
        let found: Option<Vec<&String>> = lists
            .map(|sources| sources.iter().find(|source| test(source)).filter(|_| !has(sources, "'strict-dynamic'")))
            .collect();
        found?.first().map(|source| source.as_str())
    }
}

fn has(sources: &[String], keyword: &str) -> bool {
    sources.iter().any(|source| source == keyword)
}

/// Whether anybody can serve from a source: any host, a whole scheme, or all names below a top-level domain.
fn is_open(source: &str) -> bool {
    let host = source.strip_prefix("https://").or_else(|| source.strip_prefix("http://")).unwrap_or(source);
    let host = host.split(['/', ':']).next().unwrap_or_default();
    let is_top_level = host.strip_prefix("*.").is_some_and(|rest| !rest.is_empty() && !rest.contains('.'));
    matches!(source, "http:" | "https:" | "data:" | "*:*") || host == "*" || is_top_level
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(headers: &[&str]) -> CspPolicies {
        CspPolicies::parse(headers.iter().copied(), [])
    }

    #[test]
    fn the_first_of_repeated_directives_applies() {
        let policies = of(&["script-src 'self'; SCRIPT-SRC 'unsafe-inline'; ;"]);
        assert_eq!(policies.names(), ["script-src"]);
        assert!(!policies.allow_inline(&SCRIPT_ELEMENTS));
        assert!(of(&[" ; "]).names().is_empty());
    }

    #[test]
    fn the_strictest_of_several_policies_applies() {
        let (strict, open) = ("script-src 'self'", "script-src * 'unsafe-inline' 'unsafe-eval'");
        for headers in [
            vec![strict, open],
            vec![open, strict],
            vec!["script-src * 'unsafe-inline' 'unsafe-eval', script-src 'self'"],
        ] {
            let policies = of(&headers);
            assert!(!policies.allow_inline(&SCRIPT_ELEMENTS) && !policies.allow_eval(), "{headers:?}");
            assert_eq!(policies.open_source(&SCRIPT_ELEMENTS), None, "{headers:?}");
        }
        let policies = of(&[open, "object-src 'none'"]);
        assert!(policies.allow_inline(&SCRIPT_ELEMENTS) && policies.allow_eval());
        assert_eq!(policies.open_source(&SCRIPT_ELEMENTS), Some("*"));
        assert!(policies.restrict(&PLUGINS) && policies.open_source(&PLUGINS).is_none());
        assert!(!of(&[]).restrict(&SCRIPTS) && !of(&["img-src *"]).restrict(&SCRIPTS));
    }

    #[test]
    fn fallbacks_and_newer_sources_are_known() {
        assert!(!of(&["script-src 'unsafe-inline' 'nonce-x'"]).allow_inline(&SCRIPT_ELEMENTS));
        assert!(of(&["script-src 'unsafe-inline'; script-src-elem 'self'"]).allow_inline(&SCRIPT_ATTRIBUTES));
        assert!(!of(&["script-src 'unsafe-inline'; script-src-elem 'self'"]).allow_inline(&SCRIPT_ELEMENTS));
        for source in ["*", "http:", "HTTPS:", "data:", "https://*", "*.com", "https://*.com:443"] {
            assert!(of(&[&format!("default-src 'self' {source}")]).open_source(&SCRIPT_ELEMENTS).is_some(), "{source}");
        }
        for source in [
            "'self'",
            "https://a.example",
            "*.a.example",
            "*.a.example:443",
            "https://*.a.example",
            "'none'",
            "https: 'strict-dynamic' 'nonce-x'",
            "",
        ] {
            assert_eq!(of(&[&format!("script-src {source}")]).open_source(&SCRIPT_ELEMENTS), None, "{source}");
        }
    }

    #[test]
    fn a_meta_element_cannot_set_frame_ancestors() {
        let policies = CspPolicies::parse([], ["frame-ancestors 'none'; default-src 'self'"]);
        assert!(!policies.restrict(&FRAME_ANCESTORS) && policies.restrict(&SCRIPTS));
    }
}
