//! The command line: options, one file per subcommand, output formats. May know everything.
