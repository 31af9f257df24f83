//! Code that pages show is code that runs.

use super::{Page, root};

#[path = "../../examples/blocks.rs"]
mod blocks;

#[test]
fn blocks_of_the_example_elaborate_and_simulate() {
    blocks::main().expect("they are right");
}

#[test]
fn the_page_shows_code_of_the_example() {
    let example = std::fs::read_to_string(root().join("examples/blocks.rs")).expect("the example");
    let page = Page::all().into_iter().find(|page| page.name == "docs/writing-a-block.md").expect("the page");
    let fences = page.fences();
    let samples: Vec<_> = fences.iter().filter(|fence| fence.language == "rust").collect();
    assert!(!samples.is_empty());
    for sample in samples {
        let code: Vec<_> = sample.lines.iter().copied().filter(|line| !line.starts_with("use ")).collect();
        let code = code.join("\n");
        assert!(example.contains(code.trim()), "{}:{} is not in the example:\n{code}", page.name, sample.line);
    }
}
