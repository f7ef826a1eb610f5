//! The renderer's output: it shows what was drawn, in few bytes.

mod bytes_per_key;
mod emulator;
mod random_frames;
mod written;
