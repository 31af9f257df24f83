//! A matched instruction: what its mnemonic says, part by part of the row's pattern.

use crate::{
    error::{Problem, PtxErrorKind},
    ptx::{
        ast::Instruction,
        types::{ScalarType, StateSpace, named},
    },
};
use std::fmt;

named! {
    /// Parts of mnemonics that change what an instruction does.
    Modifier {
        /// Accesses after it are not seen before it.
        Acquire = "acquire",
        /// Both `acquire` and `release`.
        AcqRel = "acq_rel",
        /// Every thread.
        All = "all",
        /// A combination with a predicate.
        And = "and",
        /// Any thread.
        Any = "any",
        /// An approximation.
        Approx = "approx",
        /// The thread does not wait.
        Arrive = "arrive",
        /// Lane numbers differ in bits.
        Bfly = "bfly",
        /// The carry is kept.
        Cc = "cc",
        /// Cached behind the first level.
        Cg = "cg",
        /// The nearest element within the edges.
        Clamp = "clamp",
        /// Not cached.
        Cv = "cv",
        /// From a lane above.
        Down = "down",
        /// Subnormal numbers are zeros.
        Ftz = "ftz",
        /// The full range.
        Full = "full",
        /// The high half.
        Hi = "hi",
        /// To the left.
        L = "l",
        /// No number if one source is none.
        NaN = "NaN",
        /// A combination with a predicate.
        Or = "or",
        /// Threads are counted.
        Popc = "popc",
        /// Accesses before it are not seen after it.
        Release = "release",
        /// Not below zero.
        Relu = "relu",
        /// Within the range.
        Sat = "sat",
        /// The shift that brings the bit there.
        ShiftAmt = "shiftamt",
        /// To another space.
        To = "to",
        /// From a lane below.
        Up = "up",
        /// Two elements.
        V2 = "v2",
        /// Four elements.
        V4 = "v4",
        /// Not cached, not reordered.
        Volatile = "volatile",
        /// Amounts modulo 32.
        Wrap = "wrap",
        /// A combination with a predicate.
        Xor = "xor",
        /// Zeros beyond the edges.
        Zero = "zero",
    }
}

named! {
    /// Where a result goes that has no representation.
    Rounding {
        /// To the nearest, even in the middle.
        Nearest = "rn",
        /// Toward zero.
        Zero = "rz",
        /// Down.
        Down = "rm",
        /// Up.
        Up = "rp",
        /// To the nearest integer.
        NearestInteger = "rni",
        /// To an integer toward zero.
        ZeroInteger = "rzi",
        /// To an integer below.
        DownInteger = "rmi",
        /// To an integer above.
        UpInteger = "rpi",
    }
}

impl Rounding {
    /// To an integral number.
    pub fn to_integer(self) -> bool {
        matches!(self, Self::NearestInteger | Self::ZeroInteger | Self::DownInteger | Self::UpInteger)
    }
}

/// A matched instruction: the statement, and the parts of its mnemonic in the order of the table's pattern.
pub(crate) struct Form<'a> {
    pub instruction: &'a Instruction,
    pub parts: Vec<&'a str>,
    ty: Option<ScalarType>,
    space: Option<StateSpace>,
    rounding: Option<Rounding>,
    modifiers: Vec<Modifier>,
}

impl<'a> Form<'a> {
    /// Of an instruction with the parts that a row's pattern found.
    pub fn new(instruction: &'a Instruction, parts: Vec<&'a str>) -> Self {
        Self {
            instruction,
            ty: parts.last().copied().and_then(ScalarType::named),
            space: parts.iter().skip(1).copied().find_map(StateSpace::named),
            rounding: parts.iter().copied().find_map(Rounding::named),
            modifiers: parts.iter().copied().filter_map(Modifier::named).collect(),
            parts,
        }
    }

    /// What it does: the first part.
    pub fn opcode(&self) -> &'a str {
        self.parts[0]
    }

    /// The last part, of rows that end in a type.
    ///
    /// # Panics
    /// When the row does not.
    pub fn ty(&self) -> ScalarType {
        self.ty.unwrap_or_else(|| unreachable!("`{}` ends in no type", self.instruction.mnemonic))
    }

    /// A part that is a type in all forms of the row.
    ///
    /// # Panics
    /// When it is none.
    pub fn type_at(&self, part: usize) -> ScalarType {
        let name = self.parts[part];
        ScalarType::named(name).unwrap_or_else(|| unreachable!("`{name}` is no type"))
    }

    /// The part before the last one: of conversions, the type that they make.
    pub fn result_type(&self) -> ScalarType {
        self.type_at(self.parts.len() - 2)
    }

    /// The first part that is a type.
    ///
    /// # Panics
    /// When none is.
    pub fn element_type(&self) -> ScalarType {
        let found = self.parts.iter().copied().find_map(ScalarType::named);
        found.unwrap_or_else(|| unreachable!("`{}` has no type", self.instruction.mnemonic))
    }

    /// Some part is this type.
    pub fn has_type(&self, ty: ScalarType) -> bool {
        self.parts.contains(&ty.name())
    }

    /// The state space; none: the address is generic, or there is none.
    pub fn space(&self) -> Option<StateSpace> {
        self.space
    }

    pub fn is_in(&self, space: StateSpace) -> bool {
        self.space == Some(space)
    }

    /// Where results go that have no representation, if it says so.
    pub fn rounding(&self) -> Option<Rounding> {
        self.rounding
    }

    /// The same of rows that always say so.
    ///
    /// # Panics
    /// When the row does not.
    pub fn rounds(&self) -> Rounding {
        self.rounding.unwrap_or_else(|| unreachable!("`{}` says no rounding", self.instruction.mnemonic))
    }

    pub fn rounds_to(&self, rounding: Rounding) -> bool {
        self.rounding == Some(rounding)
    }

    /// The row tells this operation from others by a part of this name.
    pub fn says(&self, operation: &str) -> bool {
        self.parts.contains(&operation)
    }

    pub fn has(&self, modifier: Modifier) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// Elements of its vector operand; one: it has none.
    pub fn lanes(&self) -> u32 {
        match (self.has(Modifier::V2), self.has(Modifier::V4)) {
            (true, _) => 2,
            (_, true) => 4,
            _ => 1,
        }
    }

    /// A problem with this instruction; the message follows the mnemonic.
    pub fn problem(&self, kind: PtxErrorKind, message: &str) -> Problem {
        let text = format!("`{}`: {message}", self.instruction.mnemonic);
        Problem::new(kind, self.instruction.span.clone(), text)
    }
}
