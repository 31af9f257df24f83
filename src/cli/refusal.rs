//! How the arguments of a command line are refused.

use std::io::Write;

/// Says what is wrong with the arguments, without repeating long ones; or shows the help that they ask for.
pub fn refuse(error: &clap::Error) -> u8 {
    let text = error.render().to_string();
    if error.use_stderr() && text.lines().any(|line| middle_cut(line) != line) {
        _ = std::io::stderr().write_all(refusal(error).as_bytes());
    } else {
        // A closed output is no failure.
        _ = error.print();
    }
    error.exit_code() as u8
}

/// What is wrong with the arguments, without repeating long ones.
pub fn refusal(error: &clap::Error) -> String {
    error.render().to_string().lines().map(|line| middle_cut(line) + "\n").collect()
}

/// A long line without its middle, where the value stands that somebody has written.
fn middle_cut(line: &str) -> String {
    /// Characters at either end.
    const ENDS: usize = 100;
    let all = line.chars().count();
    if all <= 3 * ENDS {
        return line.to_string();
    }
    let (start, end): (String, String) = (line.chars().take(ENDS).collect(), line.chars().skip(all - ENDS).collect());
    format!("{start} ... ({} characters) ... {end}", all - 2 * ENDS)
}
