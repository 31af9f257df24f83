//! Names of ports, nets and instances made of parts: `("out", "west")` is `out_west`, `("warp", 3)` is `warp3`.

/// Something that a port, net or instance can be called.
pub trait PortName {
    /// Adds the name to `out`, which holds the parts before it.
    fn append_to(&self, out: &mut String);

    /// The whole name.
    fn text(&self) -> String {
        let mut out = String::new();
        self.append_to(&mut out);
        out
    }
}

impl PortName for str {
    fn append_to(&self, out: &mut String) {
        if !out.is_empty() && !self.is_empty() {
            out.push('_');
        }
        out.push_str(self);
    }
}

impl PortName for String {
    fn append_to(&self, out: &mut String) {
        self.as_str().append_to(out);
    }
}

impl<T: PortName + ?Sized> PortName for &T {
    fn append_to(&self, out: &mut String) {
        (**self).append_to(out);
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        /// A number stands right behind what it numbers.
        impl PortName for $number {
            fn append_to(&self, out: &mut String) {
                out.push_str(&self.to_string());
            }
        }
    )*};
}
numbers!(u32, usize);

impl<A: PortName, B: PortName> PortName for (A, B) {
    fn append_to(&self, out: &mut String) {
        self.0.append_to(out);
        self.1.append_to(out);
    }
}

impl<A: PortName, B: PortName, C: PortName> PortName for (A, B, C) {
    fn append_to(&self, out: &mut String) {
        self.0.append_to(out);
        self.1.append_to(out);
        self.2.append_to(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_and_numbers_follow() {
        assert_eq!(("in", "west").text(), "in_west");
        assert_eq!(("bank", 3u32, "row").text(), "bank3_row");
        assert_eq!((&String::new(), "valid").text(), "valid");
    }
}
