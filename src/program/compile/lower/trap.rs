//! Why threads trap, and how they tell.

use super::surface_layout::SurfaceShape;

/// A trap writes the line of its instruction there, where no buffer, constant or variable is, and the thread ends.
const TRAP_ADDRESS: u32 = 252;
/// The same for the second reason that an instruction may have: the shape of a surface.
const SHAPE_TRAP_ADDRESS: u32 = 244;

/// Both of these addresses.
pub const TRAP_ADDRESSES: [u32; 2] = [TRAP_ADDRESS, SHAPE_TRAP_ADDRESS];

/// Why a thread traps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// `trap` or `brkpt`.
    Instruction,
    /// An assertion of the kernel does not hold.
    Assertion,
    /// A surface is accessed beyond its edges (`.trap`).
    Surface,
    /// A surface is accessed by an instruction for arrays of this shape, and has another.
    SurfaceShape(SurfaceShape),
    /// A call through a pointer to no function.
    Call,
    /// A call for which the stack has no place.
    Stack,
    /// A branch with an index beyond its list.
    Branch,
}

impl Trap {
    /// Where the line goes.
    pub fn address(self) -> u32 {
        if matches!(self, Self::SurfaceShape(_)) { SHAPE_TRAP_ADDRESS } else { TRAP_ADDRESS }
    }

    /// For messages.
    pub fn text(self) -> &'static str {
        match self {
            Self::Instruction => "a trap of the kernel",
            Self::Assertion => "an assertion of the kernel does not hold",
            Self::Surface => "an access beyond the edges of a surface whose boundary mode is `cudaBoundaryModeTrap`",
            Self::SurfaceShape(SurfaceShape::Line) => {
                "an access in one dimension to a surface whose array has more dimensions, or layers"
            }
            Self::SurfaceShape(SurfaceShape::Plane) => {
                "an access in two dimensions to a surface whose array has one or three dimensions, or layers"
            }
            Self::SurfaceShape(SurfaceShape::Volume) => {
                "an access in three dimensions to a surface whose array has one or two dimensions, or layers"
            }
            Self::SurfaceShape(SurfaceShape::LayeredLine) => {
                "an access to a layer in one dimension of a surface whose array has no layers, or layers in two dimensions"
            }
            Self::SurfaceShape(SurfaceShape::LayeredPlane) => {
                "an access to a layer in two dimensions, or a face, of a surface whose array has none of these"
            }
            Self::Call => "a call through a pointer to no function that can be called there",
            Self::Stack => "the stack of a thread overflows: its calls are nested too deep",
            Self::Branch => "a branch with an index beyond its list of targets",
        }
    }
}
