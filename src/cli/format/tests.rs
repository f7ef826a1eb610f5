//! Hostile texts in every format.
