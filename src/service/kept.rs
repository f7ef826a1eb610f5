//! Finished answers, kept until anything is written: pages of lists as they were sent, and the digests of the keys.
//!
//! Reading and writing down a page takes many times as long as sending it, and dashboards ask for the same few pages
//! again and again. What makes a kept answer right:
//!
//! - **Never older than a write that was answered.** Each request looks at the database first ([`Watch`]): a commit of any
//!   connection of any process changes the number it gives, and then all that was kept is dropped. The look of what is
//!   kept comes before the reading it is made from, so that a write in between makes it newer than its number says, never
//!   older; the next look drops it.
//! - **Nothing in it depends on who asks or when.** A list is the same for every key, tells no passwords and signs no
//!   links; no time of now is in it. What does depend on the request is part of its name: the address it was sent to, for
//!   the links, and the whole query as it came.
//! - **It replaces the reading alone.** Keys, limits, headers, logs and metrics stand in front of it as before.
//!
//! A page is kept when it is asked for the second time: a dashboard that loads a whole list leaves nothing here. Must not
//! know what an answer says.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;

use super::store::tables::keys::KeyInUse;
use super::store::watch::Watch;

/// What all pages may take together. A page of 100 reports takes about 30 kB.
const MOST: usize = 4 * 1024 * 1024;
/// A longer page is not kept: one must not push out all others.
const LONGEST: usize = MOST / 16;
/// What an entry takes beside its name and its page, about.
const AROUND: usize = 128;
/// So many pages that were asked for once are remembered by their hash.
const ONCE: usize = 1_024;

/// The digests of the keys in use, with their numbers.
pub(super) type Keys = Arc<[KeyInUse]>;

/// Which page: the address it was asked at, and the query as it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Name {
    pub(super) address: String,
    pub(super) query: String,
}

/// When something was looked for, by the number of the database; what is made after that may be kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look(Option<i64>);

/// What is kept, and the watch that says for how long.
pub(super) struct Kept(Mutex<Inside>);

struct Inside {
    watch: Watch,
    /// The number that all of the rest is true for.
    version: Option<i64>,
    keys: Option<Keys>,
    pages: HashMap<Name, Page>,
    /// How much the pages take.
    size: usize,
    /// Counts the uses of pages: the page with the lowest number was used longest ago.
    uses: u64,
    /// Hashes of pages that were asked for once.
    once: HashSet<u64>,
    hashes: RandomState,
}

struct Page {
    body: Bytes,
    used: u64,
}

impl Kept {
    pub(super) fn new(watch: Watch) -> Self {
        Self(Mutex::new(Inside {
            watch,
            version: None,
            keys: None,
            pages: HashMap::new(),
            size: 0,
            uses: 0,
            once: HashSet::new(),
            hashes: RandomState::new(),
        }))
    }

    /// A page as it was answered, when it would be answered so again.
    pub(super) fn page(&self, name: &Name) -> (Option<Bytes>, Look) {
        self.looked(|inside| {
            inside.uses += 1;
            let uses = inside.uses;
            inside.pages.get_mut(name).map(|page| {
                page.used = uses;
                page.body.clone()
            })
        })
    }

    /// Takes note of a page that was read after a look.
    pub(super) fn keep_page(&self, name: Name, body: &Bytes, look: Look) {
        self.since(look, |inside| inside.insert(name, body));
    }

    /// The keys in use.
    pub(super) fn keys(&self) -> (Option<Keys>, Look) {
        self.looked(|inside| inside.keys.clone())
    }

    /// Takes note of the keys that were read after a look.
    pub(super) fn keep_keys(&self, keys: &Keys, look: Look) {
        self.since(look, |inside| inside.keys = Some(Arc::clone(keys)));
    }

    /// Looks at the database, drops what is not true any more, and finds something in the rest.
    fn looked<T>(&self, find: impl FnOnce(&mut Inside) -> Option<T>) -> (Option<T>, Look) {
        let mut inside = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(version) = inside.watch.version() else { return (None, Look(None)) };
        if inside.version != Some(version) {
            inside.forget();
            inside.version = Some(version);
        }
        (find(&mut inside), Look(Some(version)))
    }

    /// Keeps something, unless another look has seen a change since.
    fn since(&self, look: Look, keep: impl FnOnce(&mut Inside)) {
        let mut inside = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if look.0.is_some() && look.0 == inside.version {
            keep(&mut inside);
        }
    }
}

impl Inside {
    fn forget(&mut self) {
        self.keys = None;
        self.pages.clear();
        self.size = 0;
        self.once.clear();
    }

    fn insert(&mut self, name: Name, body: &Bytes) {
        let size = taken(&name, body);
        if size > LONGEST || self.is_asked_first(&name) || self.pages.contains_key(&name) {
            return;
        }
        while self.size + size > MOST && self.drop_oldest() {}
        self.size += size;
        // Copied: what a page was written into may have more room than it needs.
        self.pages.insert(name, Page { body: Bytes::copy_from_slice(body), used: self.uses });
    }

    /// Whether a page was not asked for before, as far as is remembered.
    fn is_asked_first(&mut self, name: &Name) -> bool {
        if self.once.len() == ONCE {
            self.once.clear();
        }
        self.once.insert(self.hashes.hash_one(name))
    }

    fn drop_oldest(&mut self) -> bool {
        let oldest = self.pages.iter().min_by_key(|(_, page)| page.used).map(|(name, _)| name.clone());
        let Some((name, page)) = oldest.and_then(|name| self.pages.remove_entry(&name)) else { return false };
        self.size -= taken(&name, &page.body);
        true
    }
}

fn taken(name: &Name, body: &Bytes) -> usize {
    name.address.len() + name.query.len() + body.len() + AROUND
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::store::Store;
    use crate::service::store::database::connection;
    use crate::service::store::tables::keys;
    use proptest::prelude::*;
    use tempfile::TempDir;

    fn kept() -> (Kept, rusqlite::Connection, TempDir) {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path()).unwrap();
        (Kept::new(store.watch().unwrap()), connection::open(directory.path()).unwrap(), directory)
    }

    fn name(query: &str) -> Name {
        Name { address: "http://localhost".to_owned(), query: query.to_owned() }
    }

    /// Asks for a page that would be read as this body; whether it came from what is kept.
    fn asked(kept: &Kept, query: &str, body: &[u8]) -> bool {
        let (found, look) = kept.page(&name(query));
        if let Some(found) = &found {
            assert_eq!(found, body, "{query}");
        } else {
            kept.keep_page(name(query), &Bytes::copy_from_slice(body), look);
        }
        found.is_some()
    }

    fn key() -> KeyInUse {
        KeyInUse { id: 1, name: "a".into(), digest: [7; 32] }
    }

    #[test]
    fn a_page_is_kept_from_its_second_reading_until_anything_is_written() {
        let (kept, writer, _directory) = kept();
        assert_eq!([(); 4].map(|()| asked(&kept, "a", b"one")), [false, false, true, true]);
        assert!(!asked(&kept, "b", b"another"));
        keys::insert(&writer, "somebody", &[7; 32]).unwrap();
        assert_eq!([(); 3].map(|()| asked(&kept, "a", b"two")), [false, false, true]);
    }

    #[test]
    fn what_was_read_before_a_change_is_not_kept_after_it() {
        let (kept, writer, _directory) = kept();
        asked(&kept, "a", b"old");
        let (_, before) = kept.page(&name("a"));
        keys::insert(&writer, "somebody", &[7; 32]).unwrap();
        let (_, after) = kept.keys();
        kept.keep_keys(&Keys::from([key()]), after);
        kept.keep_page(name("a"), &Bytes::from_static(b"old"), before);
        assert_eq!(kept.page(&name("a")).0, None);
        assert_eq!(kept.keys().0.as_deref(), Some(&[key()][..]));
        assert!(keys::revoke(&writer, "somebody").unwrap());
        assert_eq!(kept.keys().0, None);
        kept.keep_keys(&Keys::from([key()]), after);
        assert_eq!(kept.keys().0, None, "another look was first");
    }

    #[test]
    fn what_was_used_longest_ago_makes_room() {
        let (kept, ..) = kept();
        let body = vec![b'x'; LONGEST / 2];
        let room = MOST / (LONGEST / 2 + AROUND + name("00").address.len() + 2);
        for number in 1..=room {
            for _ in 0..2 {
                assert!(!asked(&kept, &format!("{number:02}"), &body));
                // This one is used all the time.
                asked(&kept, "00", &body);
            }
        }
        assert!(asked(&kept, "00", &body) && asked(&kept, "02", &body) && !asked(&kept, "01", &body));
        assert!([(); 3].map(|()| asked(&kept, "long", &vec![b'x'; LONGEST])) == [false; 3]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn the_room_is_what_the_pages_take(asks in prop::collection::vec((0..40_usize, 1..LONGEST), 0..200)) {
            let (kept, ..) = kept();
            let mut bodies = HashMap::new();
            for (which, size) in asks {
                let body = bodies.entry(which).or_insert_with(|| vec![b'x'; size]);
                asked(&kept, &which.to_string(), body);
                let inside = kept.0.lock().unwrap();
                let sizes = inside.pages.iter().map(|(name, page)| taken(name, &page.body));
                prop_assert_eq!(inside.size, sizes.sum::<usize>());
                prop_assert!(inside.size <= MOST);
            }
        }
    }
}
