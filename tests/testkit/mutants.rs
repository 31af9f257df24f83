//! Text with random mistakes.

use warpmesh::program::random::Random;

/// What a mutant may get from elsewhere.
pub const SCRAPS: [&str; 42] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ",",
    ";",
    ":",
    "|",
    "!",
    "@",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "~",
    "?",
    "_",
    "0",
    "1",
    "-1",
    "18446744073709551615",
    "0f3F800000",
    "1.5",
    "\"",
    "/*",
    "//",
    ".reg .v4 .f32 %v<3>;",
    ".local .b8 here[64];",
    ".shared .b8 open[];",
    ".param .b64 p;",
    "call.uni (r), order, (p);",
    "%r1",
    "%rd1",
    "%p1",
    "ret;",
    "\u{e9}",
];

/// Cuts, doubles, exchanges or inserts a piece of text.
pub fn mutate(text: &str, random: &mut Random) -> String {
    mutate_with(text, &SCRAPS, random)
}

/// The same, with other scraps.
pub fn mutate_with(text: &str, scraps: &[&str], random: &mut Random) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '\t', '\n', ',', ';']).collect();
    for _ in 0..1 + random.below(4) {
        let at = random.below(words.len() as u64) as usize;
        let other = random.below(words.len() as u64) as usize;
        match random.below(5) {
            0 => {
                words.remove(at);
            }
            1 => words.swap(at, other),
            2 => words.insert(at, words[other]),
            3 => words.insert(at, scraps[random.below(scraps.len() as u64) as usize]),
            _ => words[at] = scraps[random.below(scraps.len() as u64) as usize],
        }
        if words.is_empty() {
            words.push(";");
        }
    }
    words.concat()
}

/// What a mutant of a launch or run file may get.
pub const TOML_SCRAPS: [&str; 36] = [
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    ",",
    "\"",
    "#",
    "\n",
    "0",
    "1",
    "-1",
    "1.5",
    "nan",
    "true",
    "4294967296",
    "18446744073709551615",
    "-9223372036854775808",
    "\"bfs\"",
    "\"level\"",
    "\"../\"",
    "\"\"",
    "step = 1\n",
    "grid = [1, 2, 3, 4]\n",
    "block = 0\n",
    "count = 0\n",
    "index = 499\n",
    "repeat = 3\n",
    "counter = \"depth\"\n",
    "[[step]]\n",
    "[[step.step]]\n",
    "[[buffer]]\n",
    "type = \"f64\"\n",
    "\u{e9}",
];
