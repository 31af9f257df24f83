//! Code that pages show is code that runs.

use super::{Page, root};

#[path = "../../../examples/blocks.rs"]
mod blocks;

#[test]
fn blocks_of_the_example_elaborate_and_simulate() {
    blocks::main().expect("they are right");
}

#[test]
fn pages_show_code_of_the_examples() {
    shows("docs/writing-a-block.md", "examples/blocks.rs");
    shows("docs/tutorial.md", "examples/own-routing/src/main.rs");
}

/// The code that a page shows is in the example.
fn shows(page: &str, example: &str) {
    let code = std::fs::read_to_string(root().join(example)).expect("the example");
    let page = Page::all().into_iter().find(|shown| shown.name == page).expect("the page");
    let fences = page.fences();
    let samples: Vec<_> = fences.iter().filter(|fence| fence.language == "rust").collect();
    assert!(!samples.is_empty());
    for sample in samples {
        let lines: Vec<_> = sample.lines.iter().copied().filter(|line| !line.starts_with("use ")).collect();
        let shown = lines.join("\n");
        assert!(code.contains(shown.trim()), "{}:{} is not in {example}:\n{shown}", page.name, sample.line);
    }
}
