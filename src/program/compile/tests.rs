//! How the work of the compiler grows, and who is told of it.

use super::*;
use testkit_base::large_kernels;

/// What each pass looks at for a kernel of so many instructions.
fn work(shape: &large_kernels::Shape, size: usize) -> Vec<(&'static str, u64)> {
    let text = (shape.kernel)(size);
    let module = parser::parse(&text).unwrap_or_else(|problem| panic!("{}: {problem:?}", shape.name));
    let target = Target { registers: 64, double: true, special: true, ..Target::default() };
    let formats = TextureFormats::new();
    let wanted = CompileOptions { target: &target, high_words: false, formats: &formats, params_in_constants: false };
    let entry = &module.entries[0];
    let mut lowered = lower::lower(&module, entry, &wanted).unwrap_or_else(|problems| panic!("{problems:?}"));
    let progress = Progress::of(&entry.name);
    simplify(&module, &mut lowered.code, &progress);
    translate(entry, lowered, &target, &progress).unwrap_or_else(|problem| panic!("{problem:?}"));
    progress.work()
}

#[test]
fn twice_the_kernel_is_twice_the_work() {
    for shape in large_kernels::SHAPES {
        let [small, large] = [200, 800].map(|size| work(shape, size));
        for ((pass, before), (_, after)) in small.into_iter().zip(large) {
            // Four times the kernel: a quadratic pass has 16 times the work. Some kernels begin to need memory for
            // registers between the two.
            assert!(after < 11 * before + 2000, "{}: {pass}: {before}, {after}", shape.name);
        }
    }
}

#[test]
fn who_waits_is_told_of_every_pass() {
    use std::{cell::RefCell, rc::Rc};
    let text = (large_kernels::SHAPES[0].kernel)(100);
    let told = Rc::new(RefCell::new(vec![]));
    let list = told.clone();
    let target = Target { double: true, ..Target::default() };
    let watcher = move |stage: progress::Stage| list.borrow_mut().push(stage.to_string());
    progress::watch(watcher, || compile(&text, "x.ptx", None, &target)).unwrap_or_else(|e| panic!("{e}"));
    let told = told.borrow();
    assert!(told.len() > 5 && told[0].starts_with("compiling kernel `kernel`: instructions, 1"), "{told:?}");
    assert!(told.iter().any(|line| line.contains("allocation of registers, ")), "{told:?}");
    // Nobody watches any more.
    let count = told.len();
    compile(&text, "x.ptx", None, &target).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(told.len(), count);
}
