//! Signed passes to report pages that are not public: links for holders of an API key, and session cookies for visitors
//! who knew the password.
//!
//! The signing secret is independent of the API keys.

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

use crate::service::store::key_rows::SigningSecret;
use crate::service::store::values::hex;

/// How long a link is valid: long enough to reach a browser, too short to be useful in a history.
pub const LINK_LASTS: SignedDuration = SignedDuration::from_mins(10);
/// How long a session lasts: a working day.
pub const SESSION_LASTS: SignedDuration = SignedDuration::from_hours(12);

/// How far the clock may be set back without invalidating existing passes.
const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_mins(1);

/// A signed, time-limited pass to one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedPass {
    /// The expiry, in Unix seconds.
    pub expires: i64,
    /// The HMAC-SHA256 in hexadecimal digits.
    pub signature: String,
}

/// The form in links and cookies: `expires.signature`.
impl fmt::Display for SignedPass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.expires, self.signature)
    }
}

impl FromStr for SignedPass {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (expires, signature) = text.split_once('.').ok_or(())?;
        Ok(Self { expires: expires.parse().map_err(|_| ())?, signature: signature.to_owned() })
    }
}

/// What a pass grants. It is valid for this purpose only.
#[derive(Debug, Clone, Copy)]
pub enum PassPurpose<'a> {
    /// A link for the holder of an API key. A changed privacy or password invalidates it.
    Link {
        /// The privacy when the pass was made.
        privacy: u8,
        /// The stored password hash, if there is one.
        password_hash: Option<&'a str>,
    },
    /// The session of a visitor who knew the password. A new password invalidates it.
    Session {
        /// The stored password hash.
        password_hash: &'a str,
    },
}

impl PassPurpose<'_> {
    fn lifetime(self) -> SignedDuration {
        match self {
            Self::Link { .. } => LINK_LASTS,
            Self::Session { .. } => SESSION_LASTS,
        }
    }
}

/// Makes and verifies passes.
#[derive(Clone)]
pub struct PassSigner(SigningSecret);

impl PassSigner {
    pub fn new(secret: SigningSecret) -> Self {
        Self(secret)
    }

    /// Creates a pass for the page of one report.
    pub fn pass(&self, purpose: PassPurpose<'_>, report: i64, now: Timestamp) -> SignedPass {
        let expires = now.as_second().saturating_add(purpose.lifetime().as_secs());
        SignedPass { expires, signature: self.signature(purpose, report, expires) }
    }

    /// Whether a pass is authentic, for this purpose and report, and not expired.
    pub fn accepts(&self, purpose: PassPurpose<'_>, report: i64, pass: &SignedPass, now: Timestamp) -> bool {
        // Compared in constant time; the expiry is part of the signed text.
        let genuine = self.signature(purpose, report, pass.expires).as_bytes().ct_eq(pass.signature.as_bytes());
        // A pass with a longer life than any was made while the clock was wrong; it must not stay valid until then.
        let longest = purpose.lifetime().as_secs().saturating_add(CLOCK_TOLERANCE.as_secs());
        bool::from(genuine) && now.as_second() < pass.expires && pass.expires.saturating_sub(now.as_second()) <= longest
    }

    fn signature(&self, purpose: PassPurpose<'_>, report: i64, expires: i64) -> String {
        // HMAC accepts keys of any length.
        let mut code = Hmac::<Sha256>::new(&block(&self.0).into());
        // Numbers contain no line ends, and free text comes last, so the encoding is unambiguous.
        let signed = match purpose {
            PassPurpose::Link { privacy, password_hash } => {
                format!("link\n{report}\n{expires}\n{privacy}\n{}", password_hash.unwrap_or_default())
            }
            PassPurpose::Session { password_hash } => format!("session\n{report}\n{expires}\n{password_hash}"),
        };
        code.update(signed.as_bytes());
        hex(&code.finalize().into_bytes())
    }
}

/// Pads the secret to the hash's block length, as in RFC 2104.
fn block(secret: &SigningSecret) -> [u8; 64] {
    let mut block = [0; 64];
    block[..secret.len()].copy_from_slice(secret);
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECRET: SigningSecret = [7; 32];
    const LINK: PassPurpose<'static> = PassPurpose::Link { privacy: 1, password_hash: None };

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn a_pass_opens_its_own_page_for_its_own_purpose_until_it_expires() {
        let signer = PassSigner::new(SECRET);
        let session = |hash| PassPurpose::Session { password_hash: hash };
        let link = signer.pass(LINK, 12, at(1_000));
        assert_eq!(link.expires, 1_600);
        assert!(signer.accepts(LINK, 12, &link, at(1_000)));
        assert_eq!(link.to_string().parse(), Ok(link.clone()));
        assert!(signer.accepts(LINK, 12, &link, at(1_599)));
        assert!(!signer.accepts(LINK, 12, &link, at(1_600)), "expired");
        assert!(!signer.accepts(LINK, 13, &link, at(1_000)), "another report");
        assert!(!signer.accepts(session(""), 12, &link, at(1_000)), "another purpose");
        assert!(!PassSigner::new([8; 32]).accepts(LINK, 12, &link, at(1_000)), "another service");
        let longer = SignedPass { expires: link.expires + 1, ..link };
        assert!(!signer.accepts(LINK, 12, &longer, at(1_000)), "stretched");
        let cookie = signer.pass(session("old"), 12, at(1_000));
        assert!(signer.accepts(session("old"), 12, &cookie, at(1_000)));
        assert!(signer.accepts(session("old"), 12, &cookie, at(44_199)) && cookie.expires == 44_200);
        assert!(!signer.accepts(session("old"), 12, &cookie, at(44_200)), "expired");
        assert!(!signer.accepts(session("new"), 12, &cookie, at(1_000)), "the password was changed");
    }

    #[test]
    fn a_link_ends_when_privacy_or_password_change() {
        let signer = PassSigner::new(SECRET);
        let of = |privacy, password_hash| PassPurpose::Link { privacy, password_hash };
        let all = [of(1, None), of(1, Some("old")), of(2, Some("old")), of(2, Some("new")), of(2, None)];
        for (place, given) in all.iter().enumerate() {
            let pass = signer.pass(*given, 12, at(1_000));
            for (other, present) in all.iter().enumerate() {
                assert_eq!(signer.accepts(*present, 12, &pass, at(1_000)), place == other, "{given:?} for {present:?}");
            }
        }
    }

    #[test]
    fn a_pass_made_while_the_clock_was_wrong_does_not_stay_valid() {
        let (signer, year) = (PassSigner::new(SECRET), 365 * 86_400);
        for purpose in [LINK, PassPurpose::Session { password_hash: "tea" }] {
            let ahead = signer.pass(purpose, 12, at(year));
            assert!(!signer.accepts(purpose, 12, &ahead, at(1_000)), "set back by a year");
            assert!(!signer.accepts(purpose, 12, &ahead, at(2 * year)), "set forward by a year");
            assert!(signer.accepts(purpose, 12, &ahead, at(year - 30)), "set right by a little");
            assert!(
                !signer.accepts(purpose, 12, &ahead, Timestamp::MIN)
                    && !signer.accepts(purpose, 12, &ahead, Timestamp::MAX)
            );
        }
    }

    proptest! {
        #[test]
        fn forged_signatures_are_rejected(signature in "[0-9a-fA-Fg]{0,70}", expires in any::<i64>()) {
            let pass = SignedPass { expires, signature };
            prop_assert!(!PassSigner::new(SECRET).accepts(LINK, 1, &pass, at(0)));
        }
    }
}
