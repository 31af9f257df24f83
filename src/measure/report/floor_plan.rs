//! The floor plan of a network as SVG: nodes, router kinds, memory controllers, and how much each link is used.

use super::{
    LinkUse,
    shades::{colour, escaped, scale},
};
use rtl::noc::{
    Connectivity, Fabric, Input, Node, NodeKind, Nodes, Output, Topology,
    endpoints::SideNetworks,
    topology::{Link, SiteName},
};
use std::fmt::Write;

mod bars;
mod side;

pub use bars::BAR;

/// A network and the use of its links.
#[derive(Clone, Debug)]
pub struct FloorPlan {
    /// What is shown.
    pub title: String,
    /// Who is where.
    pub nodes: Nodes,
    /// Routers and links, alike in all subnetworks.
    pub topology: Topology,
    /// Matrices of the routers, by subnetwork (one or two) and site.
    pub routers: Vec<Vec<Connectivity>>,
    /// Use of the outputs of the routers; where there are several subnetworks, one after the other.
    pub links: Vec<LinkUse>,
    /// Side networks (overlays), drawn as thin channels beside those of the mesh.
    pub side: Option<SideNetworks>,
    /// Also draw empty bars, at routers on the left and at memory controllers on the right. Who shows the plan fills them: each
    /// has `data-router` with the tile of the router or `data-controller` with its node.
    pub bars: bool,
}

/// Distance of two nodes, and side of a router, in pixels.
const PITCH: f64 = 92.0;
const SIDE: f64 = 44.0;
/// Space around the nodes, and above them for a title of two lines.
const MARGIN: f64 = 24.0;
const TOP: f64 = 64.0;
/// Below them, for the legend.
const BOTTOM: f64 = 92.0;
/// Distance of a link from the middle between two nodes, and its width.
const ASIDE: f64 = 6.0;
const WIDTH: f64 = 7.0;

/// Side of the mark of each of two routers, how far they are from the middle of the node, and how far above it.
const MARK: f64 = 14.0;
const APART: f64 = 10.0;
const ABOVE: f64 = 5.0;

/// Side of a node that has no router of its own.
const SMALL: f64 = 26.0;

/// Where the scale of use may end, flits a cycle: plans of alike use have one scale and can be compared.
const SCALES: [f64; 6] = [0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

impl FloorPlan {
    /// Of a network, with the use of its links.
    pub fn new(title: String, fabric: &Fabric, links: Vec<LinkUse>) -> Self {
        let parts = fabric.subnetworks();
        let topology = parts[0].topology.clone();
        let routers = parts.iter().map(|part| part.routers.clone()).collect();
        Self {
            title,
            nodes: fabric.params().nodes.clone(),
            topology,
            routers,
            links,
            side: fabric.endpoints().side_networks(),
            bars: false,
        }
    }

    /// As SVG. Every link tells its use, also by virtual channel, where the pointer rests on it.
    pub fn svg(&self) -> String {
        self.svg_up_to(Self::scale_of(&self.links))
    }

    /// The end of the scale, flits a cycle, on which these links are drawn.
    pub fn scale_of(links: &[LinkUse]) -> f64 {
        let used = links.iter().map(|link| link.utilisation).fold(0.0, f64::max);
        SCALES.into_iter().find(|end| used <= *end).unwrap_or(used)
    }

    /// The same with a scale that ends here, so that several plans have one.
    pub fn svg_up_to(&self, most: f64) -> String {
        let (columns, rows) = (f64::from(self.nodes.columns()), f64::from(self.nodes.rows()));
        let (width, height) =
            ((columns * PITCH + 2.0 * MARGIN).max(480.0), rows * PITCH + TOP + BOTTOM + self.note_of_bars());
        let used = self.links.iter().map(|link| link.utilisation).fold(0.0, f64::max);
        let places = self.places();
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        for (line, text) in title_lines(&self.title, width - 2.0 * MARGIN).iter().enumerate() {
            let (y, text) = (26 + 19 * line, escaped(text.trim_end()));
            let _ = writeln!(out, "<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"15\">{text}</text>");
        }
        if self.bars {
            let _ = writeln!(out, "<text data-cycles=\"\" x=\"{MARGIN}\" y=\"{}\" font-size=\"12\"/>", TOP - 6.0);
        }
        for (site, place) in places.iter().enumerate().filter(|(site, _)| !self.is_own(*site)) {
            self.attachments(&mut out, site, *place);
        }
        for link in self.topology.links() {
            self.link(&mut out, *link, (places[link.from], places[link.to]), most);
        }
        if let Some(side) = &self.side {
            self.side_channels(&mut out, side, most);
        }
        for node in self.nodes.iter() {
            match self.own_router(node.number) {
                Some(site) => self.router(&mut out, site, places[site], Some(node), most),
                None => self.small(&mut out, node),
            }
        }
        for (site, place) in places.iter().enumerate().filter(|(site, _)| !self.is_own(*site)) {
            self.router(&mut out, site, *place, None, most);
        }
        if let Some(side) = &self.side {
            self.side_ends(&mut out, side, most);
        }
        let scale = match self.bars {
            true => format!("0 to {most} flits a cycle"),
            false => format!("0 to {most} flits a cycle; max: {used:.3}"),
        };
        legend(&mut out, rows * PITCH + TOP, &scale, &self.notes());
        out + "</svg>\n"
    }

    /// What the marks of this plan mean, in lines.
    fn notes(&self) -> Vec<&'static str> {
        let marks = match (self.side.is_some(), self.routers.len() > 1) {
            (true, _) => "thin: busiest overlay; point: source of one; small square: its ejection ports",
            (false, true) => {
                "two marks: routers of two subnetworks; a link or small square (ejection port): mean of both"
            }
            (false, false) => "small square: ejection port",
        };
        let half = self.routers.iter().flatten().any(Connectivity::is_half);
        let nodes = match half {
            true => "blue: memory controller; without corners: half-router",
            false => "blue: memory controller",
        };
        let bars = "bars: flits that wait for credit (left), requests in the queue of a controller (right)";
        [nodes, marks].into_iter().chain(self.bars.then_some(bars)).collect()
    }

    /// The router that stands where this node stands, alone.
    fn own_router(&self, node: u32) -> Option<usize> {
        (0..self.topology.sites().len()).find(|&site| {
            let (x, y) = self.topology.place(node);
            let site = &self.topology.sites()[site];
            let here = matches!(site.name, SiteName::Grid { .. } | SiteName::Ring(_) | SiteName::Router(_));
            here && site.slots.len() == 1 && site.middle == (2 * x + 1, 2 * y + 1)
        })
    }

    fn is_own(&self, site: usize) -> bool {
        self.nodes.iter().any(|node| self.own_router(node.number) == Some(site))
    }

    /// The middle of a place on the floor plan, given in halves of a tile.
    fn at((x, y): (u32, u32)) -> (f64, f64) {
        (MARGIN + PITCH * f64::from(x) / 2.0, TOP + PITCH * f64::from(y) / 2.0)
    }

    /// The middle of each router: where its site is, or as near to it as there is room among nodes and other routers.
    fn places(&self) -> Vec<(f64, f64)> {
        let (right, bottom) = Self::at((2 * self.nodes.columns(), 2 * self.nodes.rows()));
        let sites = 0..self.topology.sites().len();
        let middle = |site: usize| Self::at(self.topology.sites()[site].middle);
        let mut taken: Vec<((f64, f64), f64)> = vec![];
        for node in self.nodes.iter() {
            let side = if self.own_router(node.number).is_some() { SIDE } else { SMALL };
            taken.push((Self::at((2 * node.x + 1, 2 * node.y + 1)), side));
        }
        let mut place = |site: usize| {
            let (x, y) = middle(site);
            if self.is_own(site) {
                return (x, y);
            }
            // Rings around the site, each a little wider.
            let around = (0..400).map(|step| {
                let (radius, angle) = (f64::from(step / 24) * 6.0, f64::from(step % 24) * std::f64::consts::TAU / 24.0);
                (x + radius * angle.cos(), y + radius * angle.sin())
            });
            let half = SIDE / 2.0;
            let inside = |(x, y): &(f64, f64)| {
                (MARGIN + half..=right - half).contains(x) && (TOP + half..=bottom - half).contains(y)
            };
            let room = |at: &(f64, f64)| taken.iter().all(|(other, side)| !overlap(*at, SIDE, *other, *side));
            let found = around.filter(inside).find(room).unwrap_or((x, y));
            taken.push((found, SIDE));
            found
        };
        sites.map(&mut place).collect()
    }

    /// Lines from a router to its nodes, which stand elsewhere.
    fn attachments(&self, out: &mut String, site: usize, (x, y): (f64, f64)) {
        for node in self.topology.sites()[site].slots.iter().filter_map(|slot| slot.node) {
            let (column, row) = self.topology.place(node);
            let (to_x, to_y) = Self::at((2 * column + 1, 2 * row + 1));
            let _ = writeln!(
                out,
                "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\" stroke=\"#cccccc\"/>"
            );
        }
    }

    /// All that leaves a router by `port`, over all subnetworks.
    fn usage(&self, site: usize, port: &str) -> Option<Usage> {
        let router = self.topology.sites()[site].name.tile();
        let all = self.links.iter().enumerate();
        let (numbers, links): (Vec<_>, Vec<_>) =
            all.filter(|(_, link)| link.router == router && link.port == port).unzip();
        let mean = links.iter().map(|link| link.utilisation).sum::<f64>() / links.len() as f64;
        let one = |link: &&LinkUse| {
            let vcs: Vec<_> = link.vcs.iter().map(|share| format!("{share:.3}")).collect();
            format!("{:.3} flits a cycle (by VC: {})", link.utilisation, vcs.join(", "))
        };
        let words: Vec<_> = links.iter().map(one).collect();
        let numbers: Vec<_> = numbers.iter().map(usize::to_string).collect();
        (!links.is_empty()).then(|| Usage { mean, words: words.join("; "), links: numbers.join(" ") })
    }

    fn link(&self, out: &mut String, link: Link, ends: ((f64, f64), (f64, f64)), most: f64) {
        let port = link.out.name();
        let Some(Usage { mean: share, words, links }) = self.usage(link.from, &port) else { return };
        let ((x, y), (to_x, to_y)) = ends;
        let far = (to_x - x).hypot(to_y - y).max(1.0);
        let (dx, dy) = ((to_x - x) / far, (to_y - y) / far);
        // Each direction keeps to its right.
        let (x, y) = (x - dy * ASIDE + dx * SIDE / 2.0, y + dx * ASIDE + dy * SIDE / 2.0);
        let length = far - SIDE - 5.0;
        // A link over other routers is bent around them, and thin.
        let bend = if far > 1.5 * PITCH { 0.12 * far + ASIDE } else { 0.0 };
        let width = if bend > 0.0 { WIDTH / 2.0 } else { WIDTH };
        let name = match self.topology.sites()[link.from].name {
            SiteName::Grid { number, .. } if self.is_own(link.from) => format!("node {number}"),
            name => name.to_string(),
        };
        let path = match bend > 0.0 {
            true => format!(
                "q{:.1} {:.1} {:.1} {:.1}",
                dx * length / 2.0 - dy * bend,
                dy * length / 2.0 + dx * bend,
                dx * length,
                dy * length
            ),
            false => format!("l{:.1} {:.1}", dx * length, dy * length),
        };
        let _ = writeln!(
            out,
            "<g data-links=\"{links}\"><title>{name} {port}: {words}</title><path d=\"M{x:.1} {y:.1} {path}\" stroke=\"{}\" stroke-width=\"{width}\" fill=\"none\"/>\
             <path d=\"M{:.1} {:.1} l{:.1} {:.1} l{:.1} {:.1} z\" fill=\"{}\"/></g>",
            colour(share, most),
            // A head of five pixels.
            x + dx * (length + 5.0),
            y + dy * (length + 5.0),
            -dx * 6.0 - dy * width * 0.8,
            -dy * 6.0 + dx * width * 0.8,
            2.0 * dy * width * 0.8,
            -2.0 * dx * width * 0.8,
            colour(share, most),
        );
    }

    /// What a node is filled with, and what it is.
    fn kind(node: Node) -> (&'static str, &'static str) {
        match node.kind {
            NodeKind::Core => ("#ffffff", "core"),
            NodeKind::Memory => ("#b9d4ee", "memory controller"),
            NodeKind::Empty => ("#eeeeee", "nothing"),
        }
    }

    /// A node without a router of its own.
    fn small(&self, out: &mut String, node: Node) {
        let (x, y) = Self::at((2 * node.x + 1, 2 * node.y + 1));
        let ((fill, kind), number, half) = (Self::kind(node), node.number, SMALL / 2.0);
        let _ = writeln!(
            out,
            "<g><title>node {number}: {kind}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{SMALL}\" height=\"{SMALL}\" \
             fill=\"{fill}\" stroke=\"grey\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"middle\">{number}</text></g>",
            x - half,
            y - half,
            y + 4.0
        );
        self.bar_of_controller(out, node, (x + half, y + half));
    }

    /// A router, with its node if it has one to itself.
    fn router(&self, out: &mut String, site: usize, (x, y): (f64, f64), node: Option<Node>, most: f64) {
        let routers: Vec<_> = self.routers.iter().map(|routers| &routers[site]).collect();
        let half = SIDE / 2.0;
        let name = self.topology.sites()[site].name;
        let (fill, kind) = node.map_or(("#f3ead9", "no node of its own"), Self::kind);
        let (title, label) = match node {
            Some(node) => (format!("node {}", node.number), node.number.to_string()),
            None => (name.to_string(), "R".to_string()),
        };
        let injects = most_of(&routers, |r| r.inputs().iter().filter(|p| matches!(p, Input::Inject(_))).count());
        let ejects = most_of(&routers, |r| r.outputs().iter().filter(|p| matches!(p, Output::Eject(_))).count());
        let kind_of = |router: &Connectivity| if router.is_half() { "half-router" } else { "full router" };
        let in_each = |(s, router): (usize, &&Connectivity)| format!("{} in subnetwork {s}", kind_of(router));
        // One router is the node; two are marks side by side in it, subnetwork 0 on the left.
        let (kinds, shapes) = match routers[..] {
            [one] => (kind_of(one).to_string(), shape(x, y, SIDE, one.is_half(), fill)),
            _ => {
                let kinds: Vec<_> = routers.iter().enumerate().map(in_each).collect();
                let at = |s: usize| x + APART * (2.0 * s as f64 - 1.0);
                let marks = routers.iter().enumerate();
                let marks = marks.map(|(s, router)| shape(at(s), y - ABOVE, MARK, router.is_half(), "#ffffff"));
                (kinds.join(", "), shape(x, y, SIDE, false, fill) + &marks.collect::<String>())
            }
        };
        let (label_at, ports_at, size) = if routers.len() == 1 { (2.0, 14.0, 13) } else { (12.0, 20.0, 10) };
        let _ = writeln!(
            out,
            "<g><title>{title}: {kind}, {kinds}, {injects} in, {ejects} out</title>{shapes}\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{size}\" text-anchor=\"middle\">{label}</text></g>",
            y + label_at
        );
        if injects.max(ejects) > 1 {
            let (at, room) = (y + ports_at, SIDE - if self.bars { 4.0 * BAR.0 } else { 6.0 });
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{at:.1}\" font-size=\"8\" text-anchor=\"middle\" textLength=\"{room}\" \
                 lengthAdjust=\"spacingAndGlyphs\">{injects} in {ejects} out</text>"
            );
        }
        let (tile, bottom) = (name.tile(), y + half - 2.0);
        let whose = format!("data-router=\"{tile}\" data-bottom=\"{bottom:.1}\"");
        self.bar(out, (x - half + 2.0, bottom), &whose);
        if let Some(node) = node {
            self.bar_of_controller(out, node, (x + half, y + half));
        }
        for port in 0..ejects {
            let Some(Usage { mean: share, words, links }) = self.usage(site, &format!("eject{port}")) else { continue };
            let (left, top) = (x + half - 9.0 - 10.0 * port as f64, y - half + 2.0);
            let _ = writeln!(
                out,
                "<g data-links=\"{links}\"><title>{title}, ejection port {port}: {words}</title>\
                 <rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"7\" height=\"7\" fill=\"{}\"/></g>",
                colour(share, most)
            );
        }
    }
}

/// Use of the same output of all subnetworks.
struct Usage {
    /// Flits a cycle, mean.
    mean: f64,
    /// Of each.
    words: String,
    /// Positions in [`FloorPlan::links`].
    links: String,
}

/// The largest count over the subnetworks.
fn most_of(routers: &[&Connectivity], count: impl Fn(&Connectivity) -> usize) -> usize {
    routers.iter().map(|router| count(router)).max().unwrap_or(0)
}

/// A router around (x, y). A half-router has no corners: nothing turns there.
fn shape(x: f64, y: f64, side: f64, is_half: bool, fill: &str) -> String {
    let half = side / 2.0;
    if !is_half {
        let (left, top) = (x - half, y - half);
        return format!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\" stroke=\"black\"/>"
        );
    }
    let (a, b) = (half, half - side * 0.3);
    let corners = [(-b, -a), (b, -a), (a, -b), (a, b), (b, a), (-b, a), (-a, b), (-a, -b)];
    let points: Vec<_> = corners.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
    format!("<polygon points=\"{}\" fill=\"{fill}\" stroke=\"black\"/>", points.join(" "))
}

/// Do two squares with these middles and sides touch?
fn overlap((x, y): (f64, f64), side: f64, (other_x, other_y): (f64, f64), other: f64) -> bool {
    (x - other_x).abs().max((y - other_y).abs()) < (side + other) / 2.0 + 2.0
}

/// `title` in lines of at most `width` pixels, broken behind commas.
fn title_lines(title: &str, width: f64) -> Vec<String> {
    // The mean letter of a sans-serif face is a little more than half as wide as it is high.
    let letters = (width / 8.2) as usize;
    let mut lines = vec![String::new()];
    for part in title.split_inclusive(", ") {
        let line = lines.last_mut().expect("never empty");
        match !line.is_empty() && line.chars().count() + part.trim_end().chars().count() > letters {
            true => lines.push(part.into()),
            false => line.push_str(part),
        }
    }
    lines
}

/// The scale of use below `top`, with what it says. Below it what else needs to be told.
fn legend(out: &mut String, top: f64, says: &str, notes: &[&str]) {
    let y = top + 18.0;
    scale(out, (MARGIN, y));
    let x = MARGIN + 176.0;
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{:.1}\" font-size=\"12\">{says}</text>", y + 9.5);
    for (line, text) in notes.iter().enumerate() {
        let y = y + 32.0 + 18.0 * line as f64;
        let _ = writeln!(out, "<text x=\"{MARGIN}\" y=\"{y:.1}\" font-size=\"12\">{text}</text>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtl::noc::{
        FabricParams, FlitFormat, NetworkParams, Organisation, Ports, RouterKinds, TopologyKind, TopologyParams,
    };

    fn plan() -> FloorPlan {
        let nodes = Nodes::new(3, 2, &[1]).expect("legal");
        let topology = Topology::mesh(&nodes);
        let mut routers: Vec<_> = (0..6).map(|site| topology.full(site, |_| [1, 1])).collect();
        routers[4] = Connectivity::half(&Ports { links: topology.directions(4).0, injects: 2, ejects: 2 });
        let channels = topology.links().iter().map(|link| (link.from, link.out.name()));
        let ejects = (0..6).map(|node| (node, "eject0".to_string()));
        let links = channels.chain(ejects).enumerate().map(|(i, (router, port))| {
            let utilisation = i as f64 / 20.0;
            LinkUse {
                subnetwork: 0,
                router: format!("router{router}"),
                port,
                utilisation,
                vcs: vec![utilisation / 2.0; 2],
            }
        });
        let (title, links) = ("a < b & c".into(), links.collect());
        FloorPlan { title, links, nodes, topology, routers: vec![routers], side: None, bars: false }
    }

    /// Routers without a node of their own, and nodes without a router of theirs.
    #[test]
    fn routers_of_several_nodes_stand_among_them() {
        for (kind, concentration, routers, small) in [
            (TopologyKind::Mesh, 4, 4, 16),
            (TopologyKind::Crossbar, 3, 6, 16),
            (TopologyKind::Butterfly, 1, 8, 16),
            (TopologyKind::Torus, 1, 16, 0),
        ] {
            let nodes = Nodes::new(4, 4, &[1, 14]).expect("legal");
            let network = NetworkParams::new(FlitFormat::new(4, 8, 16, 1), 4, 2);
            let topology = TopologyParams { kind, concentration };
            let flows = nodes.flows();
            let fabric =
                Fabric::new(FabricParams { topology, ..FabricParams::new(nodes, network) }, &flows).expect("legal");
            let used = |link: &Link| LinkUse {
                subnetwork: 0,
                router: fabric.subnetworks()[0].topology.sites()[link.from].name.tile(),
                port: link.out.name(),
                utilisation: 0.5,
                vcs: vec![0.5],
            };
            let links: Vec<_> = fabric.subnetworks()[0].topology.links().iter().map(used).collect();
            let svg = FloorPlan::new("plan".into(), &fabric, links.clone()).svg();
            let count = |what: &str| svg.matches(what).count();
            assert_eq!((count("full router"), count("stroke=\"grey\"")), (routers, small), "{kind:?}");
            assert_eq!(count("stroke-width"), links.len(), "{kind:?}: channels");
            assert!(kind == TopologyKind::Torus || count("<line ") >= small, "{kind:?}: every node has a line");
            let plan = FloorPlan::new("plan".into(), &fabric, links);
            let (width, height) = (4.0 * PITCH + 2.0 * MARGIN, 4.0 * PITCH + TOP + BOTTOM);
            let nodes = plan.nodes.iter().filter(|node| plan.own_router(node.number).is_none());
            let nodes = nodes.map(|node| (FloorPlan::at((2 * node.x + 1, 2 * node.y + 1)), SMALL));
            let boxes: Vec<_> = nodes.chain(plan.places().into_iter().map(|place| (place, SIDE))).collect();
            for (i, &(at, side)) in boxes.iter().enumerate() {
                assert!(at.0 > 0.0 && at.0 < width && at.1 > 0.0 && at.1 < height, "{kind:?}: {at:?}");
                for &(other, other_side) in &boxes[..i] {
                    assert!(!overlap(at, side, other, other_side), "{kind:?}: {at:?} covers {other:?}");
                }
            }
        }
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

    /// DCI: a full and a half-router at every node, exchanged from node to node.
    #[test]
    fn both_subnetworks_are_shown() {
        let nodes = Nodes::new(3, 2, &[1]).expect("legal");
        let network = NetworkParams::new(FlitFormat::new(2, 8, 6, 1), 4, 2);
        let (organisation, routers, flows) = (Organisation::Dci, RouterKinds::Checkerboard, nodes.flows());
        let params = FabricParams { organisation, routers, injects: 2, ejects: 2, ..FabricParams::new(nodes, network) };
        let svg = FloorPlan::new("dci".into(), &Fabric::new(params, &flows).expect("legal"), vec![]).svg();
        // The middle of a row of three turns nothing where it is a half-router; corners of two links neither.
        let count = |what: &str| svg.matches(what).count();
        assert_eq!(count("half-router in subnetwork 0, full router in subnetwork 1"), 3);
        assert_eq!(count("full router in subnetwork 0, half-router in subnetwork 1"), 3);
        insta::assert_snapshot!(svg);
    }

    #[test]
    fn long_titles_have_two_lines() {
        let title = "Use of links, double-cp-cr, many-to-few: 0.040 flits per sender and cycle, converged";
        assert_eq!(
            title_lines(title, 552.0),
            ["Use of links, double-cp-cr, ", "many-to-few: 0.040 flits per sender and cycle, converged"]
        );
        assert_eq!(title_lines("short", 552.0), ["short"]);
    }

    #[test]
    fn shades_grow_with_use() {
        assert_eq!([0.0, 0.4, 1.0].map(|share| colour(share, 1.0)), ["#e1e1e1", "#f5be3c", "#3c0014"]);
        assert_eq!(colour(0.5, 0.5), colour(1.0, 1.0));
        assert_eq!(colour(0.0, 0.0), "#e1e1e1", "nothing moved");
    }
}
