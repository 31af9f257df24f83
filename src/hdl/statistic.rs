//! Statistics that blocks keep, each declared once: by what name, in what unit, and what it tells.
//!
//! ```text
//! statistics! {
//!     "front_end" {
//!         /// Instructions that warps have issued.
//!         INSTRUCTIONS: instructions in "instructions";
//!     }
//! }
//! m.count(INSTRUCTIONS, issues);           // in a block of the kind front_end, and nowhere else
//! statistics.total(INSTRUCTIONS)           // in a report, over all instances
//! ```
//!
//! Statistics cost no area, have no influence on anything, and are not exported.

use std::fmt;

/// What a statistic is: the handle by which a block keeps it and a report asks for it. Made by
/// [`statistics!`](crate::statistics!).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Statistic {
    /// The kind of block that keeps it.
    pub block: &'static str,
    /// Unique in the block, together with the index.
    pub name: &'static str,
    /// Which one of a row of them: VC, port, ...
    pub index: Option<u32>,
    /// Unit of its values; of a count: of what is counted.
    pub unit: &'static str,
    /// What it tells, in a sentence.
    pub about: &'static str,
}

impl Statistic {
    /// One of a row.
    pub const fn at(self, index: u32) -> Self {
        Self { index: Some(index), ..self }
    }

    /// Is it `other`, or one of its row?
    pub fn is_of(self, other: Statistic) -> bool {
        (self.block, self.name) == (other.block, other.name) && (other.index.is_none() || self.index == other.index)
    }
}

/// What a block may call a statistic by: its declaration, or a plain name where no report asks for it.
pub trait StatisticName {
    /// Its declaration, if it has one.
    fn declaration(&self) -> Option<Statistic>;

    /// Its name.
    fn name(&self) -> String;
}

impl StatisticName for Statistic {
    fn declaration(&self) -> Option<Statistic> {
        Some(*self)
    }

    fn name(&self) -> String {
        self.to_string()
    }
}

impl<T: AsRef<str>> StatisticName for T {
    fn declaration(&self) -> Option<Statistic> {
        None
    }

    fn name(&self) -> String {
        self.as_ref().to_string()
    }
}

/// Its name, with its index.
impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.index.map_or(Ok(()), |index| write!(f, "{index}"))
    }
}

/// Declares the statistics of a kind of block as constants, and `STATISTICS`, all of them; see the module. One call a file.
#[macro_export]
macro_rules! statistics {
    ($block:literal { $($(#[doc = $about:literal])+ $NAME:ident: $name:ident in $unit:literal;)+ }) => {
        $(
            $(#[doc = $about])+
            pub const $NAME: $crate::Statistic = $crate::Statistic {
                block: $block,
                name: stringify!($name),
                index: None,
                unit: $unit,
                about: concat!($($about),+).trim_ascii(),
            };
        )+

        /// All statistics of the block.
        pub const STATISTICS: &[$crate::Statistic] = &[$($NAME),+];
    };
}
