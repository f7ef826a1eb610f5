//! Pagination cursors: opaque texts that hold the row after which the next page begins, and identify the list.
//!
//! The server keeps no state between pages. A cursor is neither secret nor signed: it names a position in a list that
//! its sender may read anyway.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::service::store::page::{PositionKey, RowPosition};

/// Bytes of the digest that identifies a list. It guards against mistakes, not against forgery.
const DIGEST_BYTES: usize = 8;

/// Identifies the list a cursor belongs to: everything that decides which rows it has and in which order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListIdentity {
    digest: String,
    /// Whether rows are sorted by a text; a cursor whose key has the other type is invalid.
    by_text: bool,
}

impl ListIdentity {
    /// Creates the identity from the list's path, order and filters, and whether it is sorted by a text.
    pub fn of(parts: &[Option<&str>], by_text: bool) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            // The length keeps `ab`, `c` apart from `a`, `bc`; `u64::MAX` marks a filter that is not set.
            digest.update(part.map_or(u64::MAX, |part| part.len() as u64).to_le_bytes());
            digest.update(part.unwrap_or_default());
        }
        Self { digest: BASE64_URL_SAFE_NO_PAD.encode(&digest.finalize()[..DIGEST_BYTES]), by_text }
    }
}

/// Why a cursor was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CursorError {
    /// It was not created by this service.
    #[error("The cursor was not issued by this service. Start again with the first page.")]
    Malformed,
    /// It was created for another order or other filters.
    #[error("The cursor belongs to a list with another order or other filters. Send the ones it was issued for.")]
    OtherList,
}

#[derive(Serialize, Deserialize)]
struct Content {
    list: String,
    #[serde(flatten)]
    after: RowPosition,
}

/// Encodes the cursor of the page that begins after a row.
pub fn encode(list: &ListIdentity, after: RowPosition) -> Option<String> {
    let content = serde_json::to_vec(&Content { list: list.digest.clone(), after }).ok()?;
    Some(BASE64_URL_SAFE_NO_PAD.encode(content))
}

/// Decodes the position in a cursor. Fails unless the cursor belongs to this list.
pub fn decode(cursor: &str, list: &ListIdentity) -> Result<RowPosition, CursorError> {
    let content = BASE64_URL_SAFE_NO_PAD.decode(cursor).map_err(|_| CursorError::Malformed)?;
    let content: Content = serde_json::from_slice(&content).map_err(|_| CursorError::Malformed)?;
    if content.list != list.digest {
        return Err(CursorError::OtherList);
    }
    let is_text = matches!(content.after.key, PositionKey::Text(_));
    if is_text == list.by_text { Ok(content.after) } else { Err(CursorError::Malformed) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn position() -> impl Strategy<Value = RowPosition> {
        let key = prop_oneof![any::<i64>().prop_map(PositionKey::Number), any::<String>().prop_map(PositionKey::Text)];
        (key, any::<i64>()).prop_map(|(key, id)| RowPosition { key, id })
    }

    proptest! {
        #[test]
        fn a_cursor_decodes_to_its_position_for_its_own_list_only(after in position(), search in ".*", other in ".*") {
            let by_text = matches!(after.key, PositionKey::Text(_));
            let list = ListIdentity::of(&[Some("id"), Some(&search), None], by_text);
            let cursor = encode(&list, after.clone()).unwrap();
            prop_assert_eq!(decode(&cursor, &list), Ok(after));
            let changed = ListIdentity { by_text: !by_text, ..list };
            prop_assert_eq!(decode(&cursor, &changed), Err(CursorError::Malformed));
            if search != other {
                let other = ListIdentity::of(&[Some("id"), Some(&other), None], by_text);
                prop_assert_eq!(decode(&cursor, &other), Err(CursorError::OtherList));
            }
        }

        #[test]
        fn the_decoder_never_panics(text in ".*") {
            prop_assert_eq!(decode(&text, &ListIdentity::of(&[], false)), Err(CursorError::Malformed));
        }
    }

    #[test]
    fn a_filter_that_is_not_set_differs_from_every_value() {
        assert_ne!(ListIdentity::of(&[None, Some("a")], false), ListIdentity::of(&[Some("a"), None], false));
        assert_ne!(
            ListIdentity::of(&[Some("ab"), Some("c")], false),
            ListIdentity::of(&[Some("a"), Some("bc")], false)
        );
        assert_ne!(ListIdentity::of(&[None], false), ListIdentity::of(&[Some("")], false));
    }
}
