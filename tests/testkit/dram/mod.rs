//! A memory controller with its DRAM device: every reply is compared with a flat memory, every command with the
//! [`model`], every time with the rules of the device.

pub mod model;

use model::{ControllerModel, Request};
use std::collections::HashMap;
use warpmesh::{
    hdl::random::Rng,
    host::{
        DramDevice, DramPins,
        device::{LineData, ZEROS, pack},
    },
    memory::{controller::command, *},
    netlist::elaborate,
    sim::{Options, Simulator},
};

/// Bits of a tag: requests outstanding are told apart.
const TAG_BITS: u32 = 10;

/// GDDR3 and GDDR5 as in `configs/gddr3.toml` and `configs/gddr5.toml`: banks and timing.
pub fn presets() -> [(&'static str, usize, DramTiming); 3] {
    let gddr3 = DramTiming { t_ccd: 2, t_wl: 4, t_wtr: 5, t_rtw: 9, ..DramTiming::default() };
    let row = DramTiming { t_cl: 12, t_rp: 12, t_rc: 40, t_ras: 28, t_rcd: 12, t_rrd: 6, burst: 8, ..gddr3 };
    let gddr5 = DramTiming { t_rtw: 12, ..row };
    [("default", 8, DramTiming::default()), ("gddr3", 4, gddr3), ("gddr5", 16, gddr5)]
}

/// A controller with `banks` banks.
pub fn params(banks: usize, timing: DramTiming, service: ServiceParams) -> ControllerParams {
    let map = AddressMap::new(&[1, 2, 5], 9, banks, 2048).expect("legal");
    ControllerParams { map, timing, tag_bits: TAG_BITS, queue_entries: 32, reply_entries: 16, service, atomics: false }
}

/// A request to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    pub write: bool,
    pub bank: u32,
    pub row: u32,
    pub column: u32,
}

/// What happened.
pub struct Outcome {
    pub cycles: u64,
    /// Numbers of requests in the order of their replies.
    pub order: Vec<usize>,
    /// First cycle in which each reply was shown, and the one in which its request was taken.
    pub times: Vec<(u64, u64)>,
    pub chip: Simulator,
}

impl Outcome {
    pub fn count(&mut self, name: &str) -> u64 {
        self.chip.probes().iter().find(|p| p.name == name).unwrap_or_else(|| panic!("no {name}")).count
    }
}

/// Sends `requests` in their order, each in a cycle with a chance of `send` (of 1), and takes replies with a chance of
/// `take`.
pub fn run(
    p: &ControllerParams,
    timing: DramTiming,
    requests: &[Sent],
    (send, take): (f64, f64),
    seed: u64,
    options: &Options,
) -> Result<Outcome, String> {
    let design = elaborate(&controller(p)).map_err(|error| error.to_string())?;
    let mut chip = Simulator::new(&design, options).map_err(|error| error.to_string())?;
    chip.reset(2);
    let mut rig = DramRig {
        p,
        requests,
        device: DramDevice::new(0, &p.map, timing),
        model: ControllerModel::new(p.timing, p.service, p.map.banks(), p.reply_entries),
        random: Rng::new(seed),
        memory: HashMap::new(),
        outstanding: HashMap::new(),
        taken: vec![],
        decided: None,
        offered: None,
    };
    let (mut order, mut times, mut idle, mut shown) = (vec![], vec![], 0, None);
    let first = chip.cycle();
    while order.len() < requests.len() {
        let offer = rig.offered.is_some() || rig.taken.len() < requests.len() && rig.random.chance(send);
        rig.offer(&mut chip, offer);
        rig.device(&mut chip)?;
        let valid = chip.peek("reply_valid") == 1;
        if valid && shown.is_none() {
            shown = Some(chip.cycle());
        }
        let takes = valid && rig.random.chance(take);
        chip.poke("reply_taken", takes.into());
        if takes {
            let number = rig.reply(&mut chip);
            order.push(number);
            times.push((shown.take().unwrap_or(0), rig.taken[number]));
        }
        idle = if takes { 0 } else { idle + 1 };
        assert!(idle < 20_000, "no reply for {idle} cycles after {} replies", order.len());
        rig.decide(&mut chip, takes);
        chip.step().map_err(|error| error.to_string())?;
    }
    check_rows(requests, &order);
    Ok(Outcome { cycles: chip.cycle() - first, order, times, chip })
}

/// Requests for one row are answered in the order in which they came.
fn check_rows(requests: &[Sent], order: &[usize]) {
    let mut last: HashMap<(u32, u32), usize> = HashMap::new();
    for &number in order {
        let Sent { bank, row, .. } = requests[number];
        let before = last.insert((bank, row), number);
        assert!(before.is_none_or(|before| before < number), "request {number} overtook {before:?} of its row");
    }
}

struct DramRig<'a> {
    p: &'a ControllerParams,
    requests: &'a [Sent],
    device: DramDevice,
    model: ControllerModel,
    random: Rng,
    memory: HashMap<u64, LineData>,
    /// Of a tag: number of the request, and the line that a read returns.
    outstanding: HashMap<u64, (usize, Option<LineData>)>,
    /// When each request was taken.
    taken: Vec<u64>,
    /// The command of the last cycle.
    decided: Option<model::Command>,
    /// The request that is shown: words, bytes, data.
    offered: Option<(u64, u64, LineData)>,
}

impl DramRig<'_> {
    fn offer(&mut self, chip: &mut Simulator, offer: bool) {
        chip.poke("request_valid", offer.into());
        if !offer || self.offered.is_some() {
            return;
        }
        let Sent { write, bank, row, column } = self.requests[self.taken.len()];
        let line_bytes = self.p.map.line_bytes();
        let line = (row << self.p.map.bank_bits() | bank) << self.p.map.column_bits() | column;
        let words = self.random.next_u64() >> (64 - line_bytes / 4);
        let bytes = if self.random.chance(0.2) { self.random.next_u64() & 15 } else { 15 };
        let data: LineData = std::array::from_fn(|_| self.random.next_u64() as u8);
        chip.poke("request_write", write.into());
        chip.poke("request_tag", self.taken.len() as u64 & ((1 << TAG_BITS) - 1));
        chip.poke("request_line", line.into());
        chip.poke("request_words", words);
        chip.poke("request_bytes", bytes);
        chip.poke_bits("request_data", &pack(&data, line_bytes));
        self.offered = Some((words, bytes, data));
    }

    fn device(&mut self, chip: &mut Simulator) -> Result<(), String> {
        let pins = DramPins::of(chip, "dram");
        let expected = self.decided.unwrap_or((command::NONE, 0, 0));
        let (code, bank) = (pins.command, pins.bank as usize);
        let found = match code {
            command::NONE => (code, 0, 0),
            command::ACTIVATE => (code, bank, pins.row),
            command::PRECHARGE => (code, bank, 0),
            _ => (code, bank, pins.column),
        };
        let shown = self.device.cycle(&pins).map_err(|violation| violation.to_string())?;
        assert_eq!(found, expected, "the model gives another command, cycle {} of {:?}", chip.cycle(), self.p);
        chip.poke_bits("dram_read_data", &pack(shown, self.p.map.line_bytes()));
        Ok(())
    }

    fn reply(&mut self, chip: &mut Simulator) -> usize {
        let (number, line) = self.outstanding.remove(&chip.peek("reply_tag")).expect("a request with this tag");
        assert_eq!(chip.peek("reply_write") == 0, line.is_some(), "kind of reply {number}");
        if let Some(line) = line {
            let expected = pack(&line, self.p.map.line_bytes());
            assert_eq!(
                chip.peek_bits("reply_data"),
                expected,
                "line of request {number}, cycle {}, {:?}, {:?}",
                chip.cycle(),
                self.requests[number],
                self.p
            );
        }
        number
    }

    /// The model sees what the controller sees.
    fn decide(&mut self, chip: &mut Simulator, reply_leaves: bool) {
        let mut arrival = None;
        if chip.peek("request_taken") == 1 {
            let (words, bytes, data) = self.offered.take().expect("a request is shown");
            let number = self.taken.len();
            let Sent { write, bank, row, column } = self.requests[number];
            let at = u64::from(row) << 32 | u64::from(bank) << 16 | u64::from(column);
            let line = self.memory.entry(at).or_insert(ZEROS);
            if write {
                let kept =
                    |i: usize| i >= self.p.map.line_bytes() as usize || words >> (i / 4) & bytes >> (i % 4) & 1 == 0;
                *line = std::array::from_fn(|i| if kept(i) { line[i] } else { data[i] });
            }
            let tag = number as u64 & ((1 << TAG_BITS) - 1);
            let before = self.outstanding.insert(tag, (number, (!write).then_some(*line)));
            assert!(before.is_none(), "tags are enough");
            self.taken.push(chip.cycle());
            arrival = Some(Request { write, bank: bank as usize, row, column });
        }
        self.decided = self.model.cycle(arrival, reply_leaves);
    }
}
