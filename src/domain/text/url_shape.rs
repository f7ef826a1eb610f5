//! Shapes of URLs: `shop.example/blog/…` for everything below a path, `shop.example/product/{number}` for pages that
//! differ only in a number. All in lower case.

use super::url_scheme::split_scheme;

/// The maximum number of path segments considered.
const DEEPEST: usize = 4;
const NUMBER: &str = "{number}";
const ID: &str = "{id}";
/// Follows a path prefix.
const UNDER: &str = "/…";

/// The host with its port, as written in the URL.
pub fn host(url: &str) -> &str {
    host_and_path(url).0
}

fn host_and_path(url: &str) -> (&str, &str) {
    let (_, rest) = split_scheme(url);
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    rest.split_once('/').unwrap_or((rest, ""))
}

/// The shapes of a URL: each prefix of its path, and the whole path if it ends with a number or an id.
pub fn shapes(url: &str) -> Vec<String> {
    let lower = url.to_lowercase();
    let (host, path) = host_and_path(&lower);
    let parts: Vec<&str> = path.split('/').map(folded).collect();
    let mut shapes = Vec::new();
    let mut shape = host.to_owned();
    for (depth, part) in parts.iter().enumerate().take(DEEPEST) {
        shape.push('/');
        shape.push_str(part);
        if depth + 1 < parts.len() {
            shapes.push(format!("{shape}{UNDER}"));
        } else if [NUMBER, ID].contains(part) {
            shapes.push(shape.clone());
        }
    }
    shapes
}

/// Whether a URL has this shape, or is on this host for `shop.example/…`. `wanted` is in lower case; `...` is accepted
/// for `…`.
pub fn has_shape(url: &str, wanted: &str) -> bool {
    let wanted = wanted
        .strip_suffix("/...")
        .map_or_else(|| wanted.into(), |start| std::borrow::Cow::from(format!("{start}{UNDER}")));
    let of_host = wanted.strip_suffix(UNDER).filter(|host| !host.contains('/'));
    match of_host {
        Some(wanted) => host(url).to_lowercase() == wanted,
        None => shapes(url).iter().any(|shape| *shape == *wanted),
    }
}

/// Folds a path segment to `{number}` if it is numeric, or to `{id}` if it is a long hexadecimal word with digits.
fn folded(part: &str) -> &str {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let is_id = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-') && part.len() >= 16;
    if digits > 0 && digits == part.len() {
        NUMBER
    } else if digits > 0 && is_id(part) {
        ID
    } else {
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_the_shapes_of_their_paths() {
        let url = "https://Shop.example/Product/17?page=2";
        assert_eq!(shapes(url), ["shop.example/product/…", "shop.example/product/{number}"]);
        for (wanted, expected) in [
            ("shop.example/…", true),
            ("shop.example/...", true),
            ("shop.example/product/…", true),
            ("shop.example/product/...", true),
            ("shop.example/product/{number}", true),
            ("shop.example/prod/…", false),
            ("shop.example", false),
            ("example/…", false),
        ] {
            assert_eq!(has_shape(url, wanted), expected, "{wanted}");
        }
        assert_eq!(host("shop.example/login?next=https://x.example"), "shop.example");
    }
}
