//! Inputs of a target: its corpus, and random mutations of it.

use std::path::PathBuf;
use std::time::Instant;

use crate::fuzz::targets::{self, Target};
use crate::support::seeded_rng::{Rng, seed, steps};

/// Longer inputs find nothing that shorter ones do not.
const LONGEST: usize = 64 * 1024;
/// Tokens with a meaning in some format, inserted into every kind of input.
const WORDS: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"\\u",
    b"\\ud83d",
    b"null",
    b"1e999",
    b"-0",
    b"99999999999999999999",
    b"{}",
    b"[",
    b"]",
    b"{\"data\":",
    b"\"meta\":{\"current_page\":1,\"last_page\":2}",
    b"\"links\":{\"next\":\"?page=2\"}",
    b"<",
    b">",
    b"</",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"<meta charset=utf-16>",
    b"<base href=//x>",
    b"<template>",
    b"<svg><title>",
    b"&#x10FFFF;",
    b"&#0;",
    b"%",
    b"%2",
    b"%00",
    b"*",
    b"$",
    b"\x00",
    b"\x1b[2J",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\xc2\x9b",
    "\u{202e}".as_bytes(),
    "\u{212a}".as_bytes(),
    "İ".as_bytes(),
    "ß".as_bytes(),
    "\u{301}".as_bytes(),
    "👩\u{200d}👩".as_bytes(),
    b"\r\n",
    b"\n",
    b"\t",
    b":",
    b"!",
    b"=",
    b",",
    b"|",
    b"#",
    b"//",
    b"https://",
    b"file:",
    b"[::1]",
    b"2024-05-02T09:15:00Z",
    b"+25:00",
    b"project:",
    b"score:<",
    b"age:>",
];

/// Tries the corpus of a target, then mutations of it: the default number, or `REPORTDECK_STEPS`.
pub fn try_all(name: &str) {
    let Target { name: target, usual, words, holds } = *targets::target(name);
    let corpus = corpus(target);
    assert!(!corpus.is_empty(), "{target} has no corpus");
    for (name, bytes) in &corpus {
        println!("{target}: {name}");
        holds(bytes);
    }
    let (mut rng, count, started) = (Rng::new(seed()), steps(usual), Instant::now());
    let words: Vec<&[u8]> = WORDS.iter().copied().chain(words.iter().map(|word| word.as_bytes())).collect();
    let mut slowest = std::time::Duration::ZERO;
    for _ in 0..count {
        let bytes = input(&mut rng, &corpus, &words);
        let start = Instant::now();
        let ended = std::panic::catch_unwind(|| holds(&bytes));
        slowest = slowest.max(start.elapsed());
        if ended.is_err() {
            let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{target}-broken"));
            std::fs::write(&file, &bytes).unwrap();
            panic!("{target} failed at {:?}, saved as {}", String::from_utf8_lossy(&bytes), file.display());
        }
    }
    println!("{target}: {count} inputs in {:.1?}, the slowest {slowest:.1?}", started.elapsed());
}

fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap());
    let mut corpus: Vec<_> = entries.map(read).collect();
    corpus.sort();
    corpus
}

/// Returns an input of the corpus with a few random mutations.
fn input(rng: &mut Rng, corpus: &[(String, Vec<u8>)], words: &[&[u8]]) -> Vec<u8> {
    let mut bytes = if rng.below(8) == 0 { Vec::new() } else { rng.pick(corpus).1.clone() };
    for _ in 0..=rng.below(12) {
        let at = rng.below(bytes.len() + 1);
        let end = bytes.len().min(at + 1 + rng.below(20));
        match rng.below(9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            1 if at < bytes.len() => bytes[at] = rng.below(256) as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                let times = [1, 2, 100][rng.below(3)];
                drop(bytes.splice(at..at, piece.repeat(times)));
            }
            4 => {
                let other = &rng.pick(corpus).1;
                let from = rng.below(other.len() + 1);
                let piece = other[from..other.len().min(from + rng.below(200))].to_vec();
                drop(bytes.splice(at..end, piece));
            }
            5 => bytes.truncate(at),
            6 => {
                // A character of any plane.
                let letter = char::from_u32(rng.below(0x11_0000) as u32).unwrap_or('\u{fffd}');
                drop(bytes.splice(at..at, letter.to_string().into_bytes()));
            }
            _ => drop(bytes.splice(at..at, rng.pick(words).to_vec())),
        }
    }
    bytes.truncate(LONGEST);
    bytes
}
