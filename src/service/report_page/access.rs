//! What opens a report page that is not public: signed links for holders of an API key, and the cookie of a visitor
//! who knew the password.
//!
//! The secret behind both is apart from the API keys: no key lets its holder make them. Must not know HTTP.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use sha2::Sha256;

use crate::service::store::secrets::Secret;

/// How long a link opens its page: long enough to reach a browser, short enough to be worthless in a history.
pub(in crate::service) const LINK_LASTS: SignedDuration = SignedDuration::from_mins(10);
/// How long a right password is remembered: a working day.
pub(super) const SESSION_LASTS: SignedDuration = SignedDuration::from_hours(12);

/// Something that opens one page until a certain time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::service) struct Pass {
    /// Until when, in seconds since 1970.
    pub expires: i64,
    /// Proof that the service gave it, in hexadecimal digits.
    pub signature: String,
}

/// As it stands in a link and in a cookie.
impl fmt::Display for Pass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.expires, self.signature)
    }
}

impl FromStr for Pass {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (expires, signature) = text.split_once('.').ok_or(())?;
        Ok(Self { expires: expires.parse().map_err(|_| ())?, signature: signature.to_owned() })
    }
}

/// What a pass is for. One made for one purpose opens nothing for another.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) enum Purpose<'a> {
    /// A link that the holder of an API key asked for.
    Link,
    /// The cookie of someone who knew the password with this hash: a new password ends all sessions.
    Session {
        /// The hash as it is kept.
        password_hash: &'a str,
    },
}

/// Makes passes and knows its own ones again.
#[derive(Clone)]
pub(in crate::service) struct Signer(Secret);

impl Signer {
    pub(in crate::service) fn new(secret: Secret) -> Self {
        Self(secret)
    }

    /// A pass for the page of one report.
    pub(in crate::service) fn pass(&self, purpose: Purpose<'_>, report: i64, now: Timestamp) -> Pass {
        let lasts = match purpose {
            Purpose::Link => LINK_LASTS,
            Purpose::Session { .. } => SESSION_LASTS,
        };
        let expires = now.as_second().saturating_add(lasts.as_secs());
        let mut signature = String::new();
        for byte in self.code(purpose, report, expires).finalize().into_bytes() {
            // Writing to a text cannot fail.
            let _ = write!(signature, "{byte:02x}");
        }
        Pass { expires, signature }
    }

    /// Whether a pass is ours, for this purpose and this report, and still valid.
    pub(in crate::service) fn accepts(&self, purpose: Purpose<'_>, report: i64, pass: &Pass, now: Timestamp) -> bool {
        let Some(signature) = bytes(&pass.signature) else { return false };
        // Compared in constant time; the time limit is part of what is signed.
        let genuine = self.code(purpose, report, pass.expires).verify_slice(&signature).is_ok();
        genuine && now.as_second() < pass.expires
    }

    fn code(&self, purpose: Purpose<'_>, report: i64, expires: i64) -> Hmac<Sha256> {
        // A key of the block's length or less is never refused; 256 bits always fit.
        let mut code = Hmac::<Sha256>::new(&block(&self.0).into());
        let (name, about) = match purpose {
            Purpose::Link => ("link", ""),
            Purpose::Session { password_hash } => ("session", password_hash),
        };
        // Numbers contain no line ends, and what may stands last: no two different passes are written alike.
        code.update(format!("{name}\n{report}\n{expires}\n{about}").as_bytes());
        code
    }
}

/// The secret as a key of the hash's block length, as RFC 2104 pads it.
fn block(secret: &Secret) -> [u8; 64] {
    let mut block = [0; 64];
    block[..secret.len()].copy_from_slice(secret);
    block
}

/// Hexadecimal digits as bytes.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        digits.bytes().map(|byte| char::from(byte).to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    (digits.len() == 64).then(|| digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECRET: Secret = [7; 32];

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn a_pass_opens_its_own_page_for_its_own_purpose_until_it_expires() {
        let signer = Signer::new(SECRET);
        let session = |hash| Purpose::Session { password_hash: hash };
        let link = signer.pass(Purpose::Link, 12, at(1_000));
        assert_eq!(link.expires, 1_600);
        assert!(signer.accepts(Purpose::Link, 12, &link, at(1_000)));
        assert_eq!(link.to_string().parse(), Ok(link.clone()));
        assert!(signer.accepts(Purpose::Link, 12, &link, at(1_599)));
        assert!(!signer.accepts(Purpose::Link, 12, &link, at(1_600)), "expired");
        assert!(!signer.accepts(Purpose::Link, 13, &link, at(1_000)), "another report");
        assert!(!signer.accepts(session(""), 12, &link, at(1_000)), "another purpose");
        assert!(!Signer::new([8; 32]).accepts(Purpose::Link, 12, &link, at(1_000)), "another service");
        let longer = Pass { expires: link.expires + 1, ..link };
        assert!(!signer.accepts(Purpose::Link, 12, &longer, at(1_000)), "stretched");
        let cookie = signer.pass(session("old"), 12, at(1_000));
        assert!(signer.accepts(session("old"), 12, &cookie, at(1_000)));
        assert!(!signer.accepts(session("new"), 12, &cookie, at(1_000)), "the password was changed");
    }

    proptest! {
        #[test]
        fn nothing_else_is_a_signature(signature in "[0-9a-fA-Fg]{0,70}", expires in any::<i64>()) {
            let pass = Pass { expires, signature };
            prop_assert!(!Signer::new(SECRET).accepts(Purpose::Link, 1, &pass, at(0)));
        }
    }
}
