//! The best places for memory nodes, by the loads of links.
//!
//! The objective is cheap: every node exchanges packets with every memory node equally often, all by XY routing.
//! Requests are 1.3 flits and replies 3.7 flits in the mean (90 % reads; packets without a line are one flit, those
//! with a line four: A. Bakhoda's thesis, section 6.7). What a memory node adds to the load of each link depends on its
//! place alone, so a placement's loads are a sum of vectors. Of two placements the better one has, the most important
//! first:
//!
//! 1. fewer neighbours among its memory nodes;
//! 2. fewer memory nodes beyond an equal share in a row or column (`few`);
//! 3. a lower sum of `1 / distance^2` over its pairs (`spread`);
//! 4. a lower load of its busiest link;
//! 5. a lower sum of squares of the loads, which is low when the mean is low and the loads are even;
//! 6. a lower sum of `1 / distance^2` again, for those that do not ask for it first.

/// (x, y).
pub type GridPosition = (u32, u32);

/// Flits a transaction on the way to memory, in tenths.
const REQUEST: u32 = 13;
/// Flits a transaction on the way back, in tenths.
const REPLY: u32 = 37;

/// What is lost by a placement, as the [module documentation](self) says. Each part only grows with another memory node.
pub type PlacementCost = [u64; 6];

/// A question for places.
pub struct Search {
    /// Nodes in a row of the mesh.
    pub columns: u32,
    /// Nodes in a column of the mesh.
    pub rows: u32,
    /// Places that are taken in any case.
    pub fixed: Vec<GridPosition>,
    /// Others that may be taken.
    pub candidates: Vec<GridPosition>,
    /// An equal share of memory nodes for each row and column counts before all loads.
    pub few: bool,
    /// Distance from each other counts before all loads.
    pub spread: bool,
}

impl Search {
    /// Load that a memory node at `memory` puts on each link, tenths of flits for a transaction of every node. The link of node n in
    /// direction d (north, east, south, west) is number 4 n + d.
    pub fn loads(&self, memory: GridPosition) -> Vec<u32> {
        let mut loads = vec![0; (4 * self.columns * self.rows) as usize];
        for node in (0..self.rows).flat_map(|y| (0..self.columns).map(move |x| (x, y))) {
            for (from, to, flits) in [(node, memory, REQUEST), (memory, node, REPLY)] {
                let mut add = |(x, y): GridPosition, direction: u32| {
                    loads[(4 * (y * self.columns + x) + direction) as usize] += flits;
                };
                let [north, east, south, west] = [0, 1, 2, 3];
                (from.0..to.0).for_each(|x| add((x, from.1), east));
                (to.0 + 1..=from.0).for_each(|x| add((x, from.1), west));
                (from.1..to.1).for_each(|y| add((to.0, y), south));
                (to.1 + 1..=from.1).for_each(|y| add((to.0, y), north));
            }
        }
        loads
    }

    /// What is lost by having memory nodes at `places`, of `total` in all, with these loads of links.
    fn cost(&self, places: &[GridPosition], loads: &[u32], total: usize) -> PlacementCost {
        let (mut neighbours, mut crowd) = (0, 0);
        for (i, a) in places.iter().enumerate() {
            for b in &places[..i] {
                let distance = u64::from(a.0.abs_diff(b.0) + a.1.abs_diff(b.1)).max(1);
                neighbours += u64::from(distance == 1);
                crowd += 10_000 / (distance * distance);
            }
        }
        let mut excess = 0;
        if self.few {
            let over = |lines: u32, line: &dyn Fn(&GridPosition) -> u32| -> u64 {
                let most = total.div_ceil(lines as usize);
                (0..lines).map(|l| places.iter().filter(|p| line(p) == l).count().saturating_sub(most) as u64).sum()
            };
            excess = over(self.columns, &|p| p.0) + over(self.rows, &|p| p.1);
        }
        let busiest = loads.iter().copied().max().unwrap_or(0).into();
        let squares = loads.iter().map(|&l| u64::from(l) * u64::from(l)).sum();
        [neighbours, excess, if self.spread { crowd } else { 0 }, busiest, squares, crowd]
    }

    /// The cost of a whole placement.
    pub fn cost_of(&self, places: &[GridPosition]) -> PlacementCost {
        let mut sum = vec![0; (4 * self.columns * self.rows) as usize];
        places.iter().for_each(|&p| add(&mut sum, &self.loads(p)));
        self.cost(places, &sum, places.len())
    }

    /// A good placement of `count` memory nodes: one after the other where it costs least, then one at a time moved while that gains.
    /// `None`: there are not so many places.
    pub fn quick(&self, count: usize) -> Option<Vec<GridPosition>> {
        let free = count.checked_sub(self.fixed.len()).filter(|free| *free <= self.candidates.len())?;
        let vectors: Vec<_> = self.candidates.iter().map(|&p| self.loads(p)).collect();
        let mut sum = vec![0; (4 * self.columns * self.rows) as usize];
        self.fixed.iter().for_each(|&p| add(&mut sum, &self.loads(p)));
        let mut chosen: Vec<usize> = vec![];
        let best = |chosen: &[usize], sum: &[u32]| {
            let open = (0..self.candidates.len()).filter(|i| !chosen.contains(i));
            open.map(|i| {
                let mut with = sum.to_vec();
                add(&mut with, &vectors[i]);
                let places = self.places(chosen.iter().copied().chain([i]));
                (self.cost(&places, &with, count), i)
            })
            .min()
        };
        for _ in 0..free {
            let (_, next) = best(&chosen, &sum)?;
            add(&mut sum, &vectors[next]);
            chosen.push(next);
        }
        let mut cost = self.cost(&self.places(chosen.iter().copied()), &sum, count);
        loop {
            let before = cost;
            for at in 0..free {
                let old = chosen.remove(at);
                sum.iter_mut().zip(&vectors[old]).for_each(|(a, b)| *a -= b);
                let (better, new) = best(&chosen, &sum).filter(|(c, _)| *c < cost).unwrap_or((cost, old));
                cost = better;
                add(&mut sum, &vectors[new]);
                chosen.insert(at, new);
            }
            if cost == before {
                return Some(self.places(chosen));
            }
        }
    }

    fn places(&self, chosen: impl IntoIterator<Item = usize>) -> Vec<GridPosition> {
        self.fixed.iter().copied().chain(chosen.into_iter().map(|i| self.candidates[i])).collect()
    }

    /// The best placement of `count` memory nodes, the first one in order of the candidates. What already costs as much as the best
    /// is not looked into; that is seconds for 8 of 56 places.
    pub fn complete(&self, count: usize) -> Option<Vec<GridPosition>> {
        let vectors: Vec<_> = self.candidates.iter().map(|&p| self.loads(p)).collect();
        let mut sum = vec![0; (4 * self.columns * self.rows) as usize];
        self.fixed.iter().for_each(|&p| add(&mut sum, &self.loads(p)));
        let start = self.quick(count)?;
        let mut branch = Branch { search: self, vectors: &vectors, count, bound: self.cost_of(&start), best: None };
        branch.grow(&mut self.fixed.clone(), &sum, 0);
        branch.best
    }
}

/// How many of `places` can be taken without neighbours among them: one after the other, those with the fewest open neighbours first,
/// which is the most there are where no place has more than two neighbours.
pub fn apart(places: &[GridPosition]) -> u32 {
    let near = |a: &GridPosition, b: &GridPosition| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) <= 1;
    let mut open = places.to_vec();
    let mut count = 0;
    while let Some(&next) = open.iter().min_by_key(|a| open.iter().filter(|b| near(a, b)).count()) {
        open.retain(|b| !near(&next, b));
        count += 1;
    }
    count
}

fn add(sum: &mut [u32], loads: &[u32]) {
    sum.iter_mut().zip(loads).for_each(|(a, b)| *a += b);
}

/// Depth first through all placements.
struct Branch<'a> {
    search: &'a Search,
    vectors: &'a [Vec<u32>],
    count: usize,
    bound: PlacementCost,
    best: Option<Vec<GridPosition>>,
}

impl Branch<'_> {
    fn grow(&mut self, places: &mut Vec<GridPosition>, sum: &[u32], from: usize) {
        let cost = self.search.cost(places, sum, self.count);
        if cost > self.bound || cost == self.bound && self.best.is_some() {
            return;
        }
        if places.len() == self.count {
            (self.bound, self.best) = (cost, Some(places.clone()));
            return;
        }
        // As many candidates must remain as are to be placed.
        let last = self.vectors.len() + places.len() + 1 - self.count;
        for i in from..last {
            let mut with = sum.to_vec();
            add(&mut with, &self.vectors[i]);
            places.push(self.search.candidates[i]);
            self.grow(places, &with, i + 1);
            places.pop();
        }
    }
}
