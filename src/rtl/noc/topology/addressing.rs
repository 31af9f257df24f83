//! Addresses: what routing knows of the nodes.

use super::Routes;
use serde::Serialize;
use std::sync::Arc;

/// What routing knows of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct NodeAddress {
    /// Column of its site; in an indirect topology the number of the port that leads to its last router.
    pub x: u32,
    /// Row of its site.
    pub y: u32,
    /// Which of the nodes there.
    pub slot: u32,
}

/// From node numbers to addresses.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Addressing {
    /// Columns of sites.
    pub columns: u32,
    /// Rows of sites.
    pub rows: u32,
    /// Address by node; `None`: a node has the number `y * columns + x`, and slot 0.
    pub table: Option<Vec<NodeAddress>>,
    /// Routes of this topology, where routers look them up.
    #[serde(skip)]
    pub routes: Option<Arc<Routes>>,
}

impl Addressing {
    /// One node a site.
    pub fn plain(columns: u32, rows: u32) -> Self {
        Self { columns, rows, table: None, routes: None }
    }

    /// Of a node.
    pub fn of(&self, node: u32) -> NodeAddress {
        let plain = || NodeAddress { x: node % self.columns, y: node / self.columns, slot: 0 };
        self.table.as_ref().map_or_else(plain, |table| table[node as usize])
    }

    /// Columns and rows.
    pub fn size(&self) -> (u32, u32) {
        (self.columns, self.rows)
    }

    /// Number of nodes.
    pub fn nodes(&self) -> u32 {
        self.table.as_ref().map_or(self.columns * self.rows, |table| table.len() as u32)
    }
}
