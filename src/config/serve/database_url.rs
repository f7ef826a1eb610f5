//! The form of a database URL. The service decides whether it can be used.

/// An example for messages.
pub const EXAMPLE: &str = "postgres://reportdeck@db.example/reportdeck?sslmode=require";

/// Whether a text has the form of a PostgreSQL URL.
pub fn is_postgres_url(text: &str) -> bool {
    let rest = text.strip_prefix("postgres://").or_else(|| text.strip_prefix("postgresql://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}

/// Whether a URL contains a password, after the user's name or as a parameter.
pub fn has_password(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (place, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    place.rsplit_once('@').is_some_and(|(user, _)| user.contains(':'))
        || parameters.split('&').any(|parameter| parameter.starts_with("password="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_url_is_known_by_its_scheme() {
        for url in [EXAMPLE, "postgresql://%2Frun%2Fpostgresql/reports"] {
            assert!(is_postgres_url(url), "{url}");
        }
        for url in ["", "postgres://", "mysql://a/b", "host=db.example", "postgres://a b/c"] {
            assert!(!is_postgres_url(url), "{url}");
        }
    }

    #[test]
    fn a_password_is_found_wherever_it_may_stand() {
        for url in ["postgres://a:b@c/d", "postgres://a:b@c@d/e", "postgres://c/d?user=a&password=b"] {
            assert!(has_password(url), "{url}");
        }
        for url in [EXAMPLE, "postgres://a@c:5432/d", "postgres://c:5432/d"] {
            assert!(!has_password(url), "{url}");
        }
    }
}
