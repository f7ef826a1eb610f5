//! One URL in, one audited report out. Knows the domain; must not know who asked or where the report is kept.
