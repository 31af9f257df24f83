//! How the time of the PTX compiler grows with the kernel: kernels of each shape at doubling sizes,
//! `cargo bench -p warpmesh-program --bench compile -- SHAPE --from 500 --to 8000`. Prints milliseconds of processor
//! time, and the exponent of the growth: 1 is linear. A size is a number of PTX instructions.

use std::time::Instant;
use testkit_base::large_kernels::SHAPES;
use warpmesh_program::{Target, compile};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let after = |name: &str| words.iter().position(|word| word == name).and_then(|at| words.get(at + 1)?.parse().ok());
    let (from, to): (usize, usize) = (after("--from").unwrap_or(500), after("--to").unwrap_or(8000));
    let wanted = words.first().filter(|word| !word.starts_with("--"));
    let target = Target { registers: 255, double: true, special: true, ..Target::default() };
    print!("{:24}", "instructions of PTX");
    let sizes: Vec<usize> = std::iter::successors(Some(from), |size| Some(2 * size)).take_while(|s| *s <= to).collect();
    sizes.iter().for_each(|size| print!("{size:>9}"));
    println!("  exponent    kB PTX   instructions");
    for shape in SHAPES.iter().filter(|shape| wanted.is_none_or(|word| shape.name.contains(word.as_str()))) {
        print!("{:24}", shape.name);
        let mut times = vec![];
        let mut last = String::new();
        for &size in &sizes {
            let text = (shape.kernel)(size);
            let begun = Instant::now();
            let kernel = compile(&text, shape.name, None, &target);
            times.push(begun.elapsed().as_secs_f64());
            print!("{:>9.1}", 1e3 * times[times.len() - 1]);
            let count = kernel.map_or_else(|problem| problem.message.clone(), |kernel| kernel.code.len().to_string());
            last = format!("{:>10} {count:>14}", text.len() / 1000);
        }
        let exponent = match times[..] {
            [.., before, last] => (last / before).log2(),
            _ => f64::NAN,
        };
        println!("{exponent:>10.2}{last}");
    }
}
