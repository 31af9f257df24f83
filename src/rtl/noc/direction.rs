//! Directions: where a link leads, as seen from a router.

use hdl::PortName;
use std::fmt;

/// Where a link leads, as seen from a router. North is towards smaller y, west towards smaller x.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Direction {
    /// To y - 1.
    North,
    /// To x + 1.
    East,
    /// To y + 1.
    South,
    /// To x - 1.
    West,
    /// To the north, by an express link.
    ExpressNorth,
    /// To the east, by an express link.
    ExpressEast,
    /// To the south, by an express link.
    ExpressSouth,
    /// To the west, by an express link.
    ExpressWest,
    /// In the same row, to the router so many columns further on, all around.
    Column(u8),
    /// In the same column, to the router so many rows further on, all around.
    Row(u8),
    /// By the port of this number of an indirect topology.
    Port(u8),
}

impl Direction {
    /// Those of a mesh, in the order of ports.
    pub const ALL: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];

    /// The other way, where there is one.
    pub fn opposite(self) -> Self {
        use Direction::*;
        match self {
            North => South,
            East => West,
            South => North,
            West => East,
            ExpressNorth => ExpressSouth,
            ExpressEast => ExpressWest,
            ExpressSouth => ExpressNorth,
            ExpressWest => ExpressEast,
            Column(_) | Row(_) | Port(_) => self,
        }
    }

    /// Port name.
    pub fn name(self) -> String {
        self.to_string()
    }

    /// A letter, and a number where there are several.
    fn short(self) -> String {
        use Direction::*;
        match self {
            North | East | South | West => self.name()[..1].to_string(),
            ExpressNorth | ExpressEast | ExpressSouth | ExpressWest => format!("x{}", &self.name()[8..9]),
            Column(n) => format!("c{n}"),
            Row(n) => format!("r{n}"),
            Port(n) => format!("p{n}"),
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Direction::*;
        f.write_str(match self {
            North => "north",
            East => "east",
            South => "south",
            West => "west",
            ExpressNorth => "express_north",
            ExpressEast => "express_east",
            ExpressSouth => "express_south",
            ExpressWest => "express_west",
            Column(n) => return write!(f, "column{n}"),
            Row(n) => return write!(f, "row{n}"),
            Port(n) => return write!(f, "port{n}"),
        })
    }
}

impl PortName for Direction {
    fn append_to(&self, out: &mut String) {
        self.name().append_to(out);
    }
}

/// Links, short; ports that follow each other as the first and the last of them.
pub(super) fn letters(links: &[Direction]) -> String {
    let mut out = String::new();
    let mut rest = links;
    while let Some((first, others)) = rest.split_first() {
        let follows = |(i, link): (usize, &Direction)| matches!((first, link), (Direction::Port(a), Direction::Port(b)) if *b as usize == *a as usize + i + 1);
        let run = others.iter().enumerate().take_while(|&next| follows(next)).count();
        out += &first.short();
        if run > 1 {
            out += &format!("u{}", &others[run - 1].short()[1..]);
            rest = &others[run..];
        } else {
            rest = others;
        }
    }
    out
}
