//! Types and state spaces of PTX: read once, by the parser or from a mnemonic, and enums from there on.

use std::fmt;

/// Declares an enum whose values have PTX names, without the dot.
macro_rules! named {
    ($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $value:ident = $text:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $name {
            $($(#[$of])* $value),+
        }

        impl $name {
            /// As PTX writes it, without the dot.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text),+
                }
            }

            /// By its PTX name, without the dot.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$value),)+
                    _ => None,
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
pub(crate) use named;

named! {
    /// Type of a register, a parameter or an instruction.
    ScalarType {
        /// A truth value.
        Pred = "pred",
        /// Any 8 bits.
        B8 = "b8",
        /// Any 16 bits.
        B16 = "b16",
        /// Any 32 bits.
        B32 = "b32",
        /// Any 64 bits.
        B64 = "b64",
        /// Unsigned integer of 8 bits.
        U8 = "u8",
        /// Unsigned integer of 16 bits.
        U16 = "u16",
        /// Unsigned integer of 32 bits.
        U32 = "u32",
        /// Unsigned integer of 64 bits.
        U64 = "u64",
        /// Signed integer of 8 bits.
        S8 = "s8",
        /// Signed integer of 16 bits.
        S16 = "s16",
        /// Signed integer of 32 bits.
        S32 = "s32",
        /// Signed integer of 64 bits.
        S64 = "s64",
        /// Half precision.
        F16 = "f16",
        /// Two numbers of half precision.
        F16x2 = "f16x2",
        /// bfloat16.
        Bf16 = "bf16",
        /// Two numbers of bfloat16.
        Bf16x2 = "bf16x2",
        /// Single precision.
        F32 = "f32",
        /// Double precision.
        F64 = "f64",
    }
}

named! {
    /// Where a variable is.
    StateSpace {
        /// Registers.
        Reg = "reg",
        /// Parameters of a kernel or function.
        Param = "param",
        /// Shared memory of a block.
        Shared = "shared",
        /// Global memory.
        Global = "global",
        /// Constant memory.
        Const = "const",
        /// Local memory of a thread.
        Local = "local",
        /// Textures, as PTX 1 had them.
        Tex = "tex",
    }
}

/// What values of a type mean, as far as instructions take one for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeFamily {
    /// Of any meaning. bfloat16 counts here: its registers are of bits.
    Bits,
    /// Integers.
    Integer,
    /// Floats.
    Float,
    /// Truth values.
    Predicate,
}

impl ScalarType {
    /// What its values mean.
    pub const fn family(self) -> TypeFamily {
        match self {
            Self::Pred => TypeFamily::Predicate,
            Self::B8 | Self::B16 | Self::B32 | Self::B64 | Self::Bf16 | Self::Bf16x2 => TypeFamily::Bits,
            Self::F16 | Self::F16x2 | Self::F32 | Self::F64 => TypeFamily::Float,
            Self::U8 | Self::U16 | Self::U32 | Self::U64 => TypeFamily::Integer,
            Self::S8 | Self::S16 | Self::S32 | Self::S64 => TypeFamily::Integer,
        }
    }

    /// Size in bytes, a power of two; of a predicate, which has no place in memory, one.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Pred | Self::B8 | Self::U8 | Self::S8 => 1,
            Self::B16 | Self::U16 | Self::S16 | Self::F16 | Self::Bf16 => 2,
            Self::B32 | Self::U32 | Self::S32 | Self::F32 | Self::F16x2 | Self::Bf16x2 => 4,
            Self::B64 | Self::U64 | Self::S64 | Self::F64 => 8,
        }
    }

    /// Bits of a value.
    pub const fn bits(self) -> u32 {
        if matches!(self, Self::Pred) { 1 } else { 8 * self.bytes() }
    }

    /// A signed integer.
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::S8 | Self::S16 | Self::S32 | Self::S64)
    }

    /// A float: of half, single or double precision.
    pub fn is_float(self) -> bool {
        self.family() == TypeFamily::Float
    }

    /// The type of the same letter with so many bits.
    pub fn of_bits(self, bits: u32) -> Option<Self> {
        Self::named(&format!("{}{bits}", &self.name()[..1]))
    }
}

/// The type of a variable as it is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclaredType {
    /// One that instructions have, but a predicate.
    Scalar(ScalarType),
    /// `.texref`: a texture.
    Texture,
    /// `.samplerref`, `.surfref`.
    Opaque,
    /// One that nobody knows: the variable has a problem.
    Unknown,
}

impl DeclaredType {
    /// By its PTX name, without the dot.
    pub fn named(name: &str) -> Self {
        match (ScalarType::named(name), name) {
            (Some(ScalarType::Pred), _) => Self::Unknown,
            (Some(scalar), _) => Self::Scalar(scalar),
            (None, "texref") => Self::Texture,
            (None, "samplerref" | "surfref") => Self::Opaque,
            (None, _) => Self::Unknown,
        }
    }

    /// Of values in memory.
    pub fn scalar(self) -> Option<ScalarType> {
        match self {
            Self::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_types_are() {
        let names = "pred b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64";
        for name in names.split(' ') {
            let ty = ScalarType::named(name).expect("a type");
            assert_eq!(ty.to_string(), name);
            let digits: String = name.chars().filter(char::is_ascii_digit).collect();
            let bits = match (ty, name.strip_suffix("x2")) {
                (ScalarType::Pred, _) => 1,
                (_, Some(_)) => 32,
                _ => digits.parse().expect("bits"),
            };
            assert_eq!(ty.bits(), bits, "{name}");
            assert_eq!(ty.is_signed(), name.starts_with('s'), "{name}");
            assert_eq!(ty.is_float(), name.starts_with('f'), "{name}");
        }
        assert_eq!(ScalarType::S16.of_bits(32), Some(ScalarType::S32));
        assert_eq!(ScalarType::U64.of_bits(128), None);
        assert_eq!(DeclaredType::named("pred"), DeclaredType::Unknown, "no variable is a predicate");
    }
}
