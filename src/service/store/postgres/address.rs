//! Parses the database URL, and rejects it if passwords or reports could cross a network in plain text.

use std::net::IpAddr;
use std::str::FromStr as _;
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use crate::service::store::error::OpenError;

/// The timeout for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a connection is idle before a keepalive probe, which notices one dropped by a firewall.
const KEEPALIVE: Duration = Duration::from_mins(1);
/// How long sent data may stay unacknowledged.
const NETWORK_TIMEOUT: Duration = Duration::from_secs(15);
/// The port of PostgreSQL, which messages omit.
const USUAL_PORT: u16 = 5432;

/// A database server and how to connect to it. Not `Debug`, because it contains the password.
pub struct PostgresAddress {
    /// The connection parameters.
    pub config: Config,
    /// The hosts and the database's name, for messages; without user and password.
    pub place: String,
}

impl PostgresAddress {
    /// Parses a URL such as `postgres://user:password@host:5432/database?sslmode=require`.
    ///
    /// Fails if the URL is malformed, or if a host on another machine might be reached without TLS.
    pub fn parse(url: &SecretString) -> Result<Self, OpenError> {
        // Certificates are always verified here, so these modes add nothing to `require`.
        let url = url.expose_secret().replace("sslmode=verify-full", "sslmode=require");
        let url = url.replace("sslmode=verify-ca", "sslmode=require");
        if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(OpenError::Url);
        }
        // The rest of a password with an unencoded `@` would count as the host, which messages name.
        if url.matches('@').count() > 1 {
            return Err(OpenError::Url);
        }
        // Its error may repeat a part of the URL, possibly the password.
        let mut config = Config::from_str(&url).map_err(|_| OpenError::Url)?;
        let place = place(&config);
        let is_local =
            config.get_hosts().iter().all(is_on_this_machine) && config.get_hostaddrs().iter().all(IpAddr::is_loopback);
        match config.get_ssl_mode() {
            SslMode::Require => {}
            _ if !is_local => return Err(OpenError::Plaintext(place)),
            // A local server often has a certificate that cannot be verified.
            _ => drop(config.ssl_mode(SslMode::Disable)),
        }
        config.application_name("reportdeck").keepalives_idle(KEEPALIVE).tcp_user_timeout(NETWORK_TIMEOUT);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        Ok(Self { config, place })
    }
}

fn is_on_this_machine(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
            name == "localhost" || address.is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

fn place(config: &Config) -> String {
    let ports = config.get_ports();
    let named = |(at, host): (usize, &Host)| {
        let name = match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(folder) => folder.display().to_string(),
        };
        match ports.get(at).or(ports.first()) {
            Some(port) if *port != USUAL_PORT => format!("{name}:{port}"),
            Some(_) | None => name,
        }
    };
    let hosts: Vec<String> = config.get_hosts().iter().enumerate().map(named).collect();
    let database = config.get_dbname().or(config.get_user()).unwrap_or("postgres");
    format!("{database} on {}", if hosts.is_empty() { "this machine".to_owned() } else { hosts.join(", ") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::address::StoreAddress;

    fn parse(url: &str) -> Result<String, OpenError> {
        PostgresAddress::parse(&SecretString::from(url)).map(|address| address.place)
    }

    #[test]
    fn plain_text_reaches_only_this_machine() {
        for url in [
            "postgres://team:tea@127.0.0.1/reports",
            "postgres://team:tea@localhost/reports",
            "postgres://team:tea@[::1]:5433/reports",
            #[cfg(unix)]
            "postgres://team@%2Frun%2Fpostgresql/reports",
            "postgres://team:tea@db.example/reports?sslmode=require",
            "postgresql://team:tea@db.example/reports?sslmode=verify-full",
        ] {
            assert!(parse(url).is_ok(), "{url}");
        }
        for url in [
            "postgres://team:tea@db.example/reports",
            "postgres://team:tea@db.example/reports?sslmode=prefer",
            "postgres://team:tea@db.example/reports?sslmode=disable",
            "postgres://team:tea@localhost,db.example/reports",
            "postgres://team:tea@192.0.2.1/reports",
            "postgres://team:tea@localhost/reports?hostaddr=192.0.2.1",
        ] {
            let error = parse(url).unwrap_err().to_string();
            assert!(error.contains("sslmode=require") && !error.contains("tea"), "{url}: {error}");
        }
    }

    #[test]
    fn an_unreadable_url_is_refused_without_being_repeated() {
        for url in [
            "",
            "db.example",
            "mysql://team:tea@db.example/reports",
            "postgres://team:tea#@db.example:tea/x",
            "postgres://team:green@tea@db.example/reports",
            "postgres://team:green@tea@localhost/reports?sslmode=require",
        ] {
            let error = parse(url).unwrap_err().to_string();
            assert!(error.contains("postgres://") && !error.contains("tea"), "{url}: {error}");
        }
    }

    #[test]
    fn the_password_is_in_no_debug_output() {
        let address = StoreAddress::Postgres("postgres://team:tea@db.example/reports".into());
        assert!(!format!("{address:?}").contains("tea"));
    }

    #[test]
    fn the_place_names_the_database_but_no_user() {
        for (hosts, expected) in [
            ("127.0.0.1:5433", "127.0.0.1:5433"),
            ("localhost", "localhost"),
            ("localhost:5432,localhost:5433", "localhost, localhost:5433"),
            #[cfg(unix)]
            ("%2Frun%2Fpostgresql:5433", "/run/postgresql:5433"),
        ] {
            let place = parse(&format!("postgres://team:tea@{hosts}/reports")).unwrap();
            assert_eq!(place, format!("reports on {expected}"));
        }
    }
}
