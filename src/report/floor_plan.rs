//! The floor plan of a network as SVG: nodes, router kinds, memory controllers, and how much each link is used.

use super::LinkUse;
use crate::noc::{Connectivity, Direction, Mesh, Node, NodeKind, Output};
use std::fmt::Write;

/// A network and the use of its links.
#[derive(Clone, Debug)]
pub struct FloorPlan {
    /// What is shown.
    pub title: String,
    /// Nodes and links.
    pub mesh: Mesh,
    /// Routers (of the first subnetwork), by node.
    pub routers: Vec<Connectivity>,
    /// Use of the outputs of the routers; where there are several subnetworks, one after the other.
    pub links: Vec<LinkUse>,
}

/// Distance of two nodes, and side of a router, in pixels.
const PITCH: f64 = 92.0;
const SIDE: f64 = 44.0;
/// Space around the nodes, and above them for the title.
const MARGIN: f64 = 24.0;
const TOP: f64 = 46.0;
/// Below them, for the legend.
const BOTTOM: f64 = 64.0;
/// Distance of a link from the middle between two nodes, and its width.
const ASIDE: f64 = 6.0;
const WIDTH: f64 = 7.0;

impl FloorPlan {
    /// As SVG. Every link tells its use, also by virtual channel, where the pointer rests on it.
    pub fn svg(&self) -> String {
        let (columns, rows) = (f64::from(self.mesh.columns()), f64::from(self.mesh.rows()));
        let (width, height) = ((columns * PITCH + 2.0 * MARGIN).max(480.0), rows * PITCH + TOP + BOTTOM);
        let most = self.links.iter().map(|link| link.utilisation).fold(0.0, f64::max);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{MARGIN}\" y=\"26\" font-size=\"15\">{}</text>\n",
            escaped(&self.title)
        );
        for (from, direction, _) in self.mesh.channels() {
            self.link(&mut out, from, direction, most);
        }
        for node in self.mesh.nodes() {
            self.node(&mut out, node, most);
        }
        legend(&mut out, height, most);
        out + "</svg>\n"
    }

    /// The middle of a node.
    fn place(&self, node: u32) -> (f64, f64) {
        let (x, y) = (node % self.mesh.columns(), node / self.mesh.columns());
        (MARGIN + PITCH * (f64::from(x) + 0.5), TOP + PITCH * (f64::from(y) + 0.5))
    }

    /// All that leaves `node` by `port`, over all subnetworks, as (mean use, words).
    fn usage(&self, node: u32, port: &str) -> Option<(f64, String)> {
        let links: Vec<_> = self.links.iter().filter(|link| link.node == node && link.port == port).collect();
        let mean = links.iter().map(|link| link.utilisation).sum::<f64>() / links.len() as f64;
        let one = |link: &&LinkUse| {
            let vcs: Vec<_> = link.vcs.iter().map(|share| format!("{share:.3}")).collect();
            format!("{:.3} flits a cycle (by VC: {})", link.utilisation, vcs.join(", "))
        };
        let words: Vec<_> = links.iter().map(one).collect();
        (!links.is_empty()).then(|| (mean, words.join("; ")))
    }

    fn link(&self, out: &mut String, from: u32, direction: Direction, most: f64) {
        let Some((share, words)) = self.usage(from, direction.name()) else { return };
        let (x, y) = self.place(from);
        let (dx, dy) = match direction {
            Direction::North => (0.0, -1.0),
            Direction::East => (1.0, 0.0),
            Direction::South => (0.0, 1.0),
            Direction::West => (-1.0, 0.0),
        };
        // Each direction keeps to its right.
        let (x, y) = (x - dy * ASIDE + dx * SIDE / 2.0, y + dx * ASIDE + dy * SIDE / 2.0);
        let length = PITCH - SIDE - 5.0;
        let _ = writeln!(
            out,
            "<g><title>node {from} {}: {words}</title><path d=\"M{x:.1} {y:.1} l{:.1} {:.1}\" stroke=\"{}\" stroke-width=\"{WIDTH}\" fill=\"none\"/>\
             <path d=\"M{:.1} {:.1} l{:.1} {:.1} l{:.1} {:.1} z\" fill=\"{}\"/></g>",
            direction.name(),
            dx * length,
            dy * length,
            colour(share, most),
            // A head of five pixels.
            x + dx * (length + 5.0),
            y + dy * (length + 5.0),
            -dx * 6.0 - dy * WIDTH * 0.8,
            -dy * 6.0 + dx * WIDTH * 0.8,
            2.0 * dy * WIDTH * 0.8,
            -2.0 * dx * WIDTH * 0.8,
            colour(share, most),
        );
    }

    fn node(&self, out: &mut String, node: Node, most: f64) {
        let (x, y) = self.place(node.number);
        let router = &self.routers[node.number as usize];
        let half = SIDE / 2.0;
        let (fill, kind) = match node.kind {
            NodeKind::Core => ("#ffffff", "core"),
            NodeKind::Memory => ("#b9d4ee", "memory controller"),
            NodeKind::Empty => ("#eeeeee", "nothing"),
        };
        let terminals = |outputs: bool| match outputs {
            true => router.outputs().iter().filter(|port| matches!(port, Output::Eject(_))).count(),
            false => router.inputs().iter().filter(|port| port.to_string().starts_with("inject")).count(),
        };
        let (injects, ejects) = (terminals(false), terminals(true));
        // A half-router has no corners: nothing turns there.
        let shape = match router.is_half() {
            true => {
                let cut = SIDE * 0.3;
                let (a, b) = (half, half - cut);
                let corners = [(-b, -a), (b, -a), (a, -b), (a, b), (b, a), (-b, a), (-a, b), (-a, -b)];
                let points: Vec<_> = corners.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
                format!("<polygon points=\"{}\" fill=\"{fill}\" stroke=\"black\"/>", points.join(" "))
            }
            false => format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\" stroke=\"black\"/>",
                x - half,
                y - half
            ),
        };
        let router_kind = if router.is_half() { "half-router" } else { "full router" };
        let _ = writeln!(
            out,
            "<g><title>node {}: {kind}, {router_kind}, {injects} in, {ejects} out</title>{shape}\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"13\" text-anchor=\"middle\">{}</text></g>",
            node.number,
            y + 2.0,
            node.number
        );
        if injects.max(ejects) > 1 {
            let at = y + 14.0;
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{at:.1}\" font-size=\"9\" text-anchor=\"middle\">{injects} in {ejects} out</text>"
            );
        }
        for port in 0..ejects {
            let Some((share, words)) = self.usage(node.number, &format!("eject{port}")) else { continue };
            let (left, top) = (x + half - 9.0 - 10.0 * port as f64, y - half + 2.0);
            let _ = writeln!(
                out,
                "<g><title>node {}, ejection port {port}: {words}</title>\
                 <rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"7\" height=\"7\" fill=\"{}\"/></g>",
                node.number,
                colour(share, most)
            );
        }
    }
}

/// From light grey over yellow and red to black: shades that also differ without colour.
fn colour(share: f64, most: f64) -> String {
    const STOPS: [(f64, [f64; 3]); 4] = [
        (0.0, [225.0, 225.0, 225.0]),
        (0.4, [245.0, 190.0, 60.0]),
        (0.75, [200.0, 50.0, 40.0]),
        (1.0, [60.0, 0.0, 20.0]),
    ];
    let at = if most > 0.0 { (share / most).clamp(0.0, 1.0) } else { 0.0 };
    let upper = STOPS.iter().position(|(stop, _)| at <= *stop).unwrap_or(STOPS.len() - 1).max(1);
    let ((from, low), (to, high)) = (STOPS[upper - 1], STOPS[upper]);
    let part = (at - from) / (to - from);
    let [r, g, b] = [0, 1, 2].map(|i| (low[i] + part * (high[i] - low[i])).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn legend(out: &mut String, height: f64, most: f64) {
    let y = height - BOTTOM + 18.0;
    for step in 0..=20 {
        let share = most * f64::from(step) / 20.0;
        let x = MARGIN + 8.0 * f64::from(step);
        let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"8\" height=\"10\" fill=\"{}\"/>", colour(share, most));
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{:.1}\" font-size=\"12\">0 to {most:.3} flits a cycle</text>\n\
         <text x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"12\">blue: memory controller; without corners: half-router; small square: ejection port</text>",
        MARGIN + 176.0,
        y + 9.5,
        y + 32.0
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noc::{Ports, mesh::full_router};

    fn plan() -> FloorPlan {
        let mesh = Mesh::new(3, 2, &[1]).expect("legal");
        let mut routers: Vec<_> = mesh.nodes().map(|node| full_router(&mesh, node)).collect();
        routers[4] = Connectivity::half(&Ports { links: mesh.links(4), injects: 2, ejects: 2 });
        let channels = mesh.channels().into_iter().map(|(node, direction, _)| (node, direction.name().to_string()));
        let ejects = (0..6).map(|node| (node, "eject0".to_string()));
        let links = channels.chain(ejects).enumerate().map(|(i, (node, port))| {
            let utilisation = i as f64 / 20.0;
            LinkUse { subnetwork: 0, node, port, utilisation, vcs: vec![utilisation / 2.0; 2] }
        });
        FloorPlan { title: "a < b & c".into(), links: links.collect(), mesh, routers }
    }

    #[test]
    fn everything_is_drawn_once() {
        let svg = plan().svg();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("a &lt; b &amp; c"));
        let count = |what: &str| svg.matches(what).count();
        assert_eq!(count("stroke-width"), 14, "channels");
        assert_eq!(count("memory controller, full router, 1 in, 1 out"), 1);
        assert_eq!((count("half-router, 2 in, 2 out"), count("<polygon ")), (1, 1));
        assert_eq!(count(">2 in 2 out<"), 1);
        assert_eq!(count("ejection port 0: "), 6);
        assert!(svg.contains("node 0 east: 0.000 flits a cycle (by VC: 0.000, 0.000)"), "{svg}");
    }

    #[test]
    fn shades_grow_with_use() {
        assert_eq!([0.0, 0.4, 1.0].map(|share| colour(share, 1.0)), ["#e1e1e1", "#f5be3c", "#3c0014"]);
        assert_eq!(colour(0.5, 0.5), colour(1.0, 1.0));
        assert_eq!(colour(0.0, 0.0), "#e1e1e1", "nothing moved");
    }
}
