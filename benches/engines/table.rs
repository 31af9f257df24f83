//! Rows as tables: Markdown for people, CSV for everything else.

use crate::contest::{Row, STRETCH};
use warpmesh::report::words::grouped;

/// Rows of one design and workload, in the order in which they were measured.
pub fn groups(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    rows.chunk_by(|a, b| a.design == b.design && a.workload == b.workload)
}

/// The fastest Verilator model.
pub fn best_verilator(group: &[Row]) -> Option<(&Row, f64)> {
    let timed = |row| Some((row, Row::seconds(row)?));
    group.iter().filter(|row| !row.ours()).filter_map(timed).min_by(|a, b| a.1.total_cmp(&b.1))
}

fn title(row: &Row) -> String {
    match row.workload.as_str() {
        load if !row.design.starts_with("mesh") => format!("{}, {load}", row.design),
        "0" => format!("{}, idle", row.design),
        load => format!("{}, {load}", row.design),
    }
}

/// One line a design and workload: cycles a second of ours and of the best Verilator model, the ratios, and what it
/// took to prepare that model and ours (the first).
pub fn summary(rows: &[Row]) -> String {
    let mut ours: Vec<&str> = vec![];
    for row in rows.iter().filter(|row| row.ours()) {
        if !ours.contains(&row.contestant.as_str()) {
            ours.push(&row.contestant);
        }
    }
    let mut text = String::from("| design, load in flits/node/cycle or kernel |");
    ours.iter().for_each(|name| text += &format!(" {name}: cycles/s | ratio |"));
    text += " best Verilator: cycles/s | which | its preparation | ours |\n|---|";
    ours.iter().for_each(|_| text += "---:|---:|");
    text += "---:|---|---:|---:|\n";
    for group in groups(rows) {
        let best = best_verilator(group);
        text += &format!("| {} |", title(&group[0]));
        for name in &ours {
            let seconds = group.iter().find(|row| row.contestant == *name).and_then(Row::seconds);
            let speed = seconds.map_or(String::new(), per_second);
            let ratio = seconds.zip(best).map_or(String::new(), |(own, (_, other))| format!("{:.2}", other / own));
            text += &format!(" {speed} | {ratio} |");
        }
        let prepared = |row: &Row| format!("{:.2} s", (row.first.cpu + row.second.cpu).as_secs_f64());
        match best {
            Some((row, seconds)) => {
                text += &format!(" {} | {} | {} |", per_second(seconds), row.contestant, prepared(row));
            }
            None => text += " | | |",
        }
        text += &format!(" {} |\n", group.iter().find(|row| row.ours()).map_or(String::new(), prepared));
    }
    text
}

/// One table a design and workload.
pub fn details(rows: &[Row]) -> String {
    groups(rows).map(detail).collect()
}

fn detail(group: &[Row]) -> String {
    let mut text = format!("## {}\n\n", title(&group[0]));
    if let Some(done) = group.iter().find(|row| row.cycles > 0) {
        text += &format!("{} turns of {} cycles: {}.\n\n", done.turns.len(), grouped(done.cycles), done.result);
    }
    text += "| simulator | cycles/s | us/cycle | to the best Verilator | elaborate or verilate | compile |\n";
    text += "|---|---:|---:|---:|---:|---:|\n";
    let best = best_verilator(group).map(|(_, seconds)| seconds);
    for row in group {
        let Some(seconds) = row.seconds() else {
            text += &format!("| {} | {} | | | | |\n", row.contestant, row.note);
            continue;
        };
        let ratio = best.map_or(String::new(), |best| format!("{:.2}", best / seconds));
        let [first, second] = [row.first, row.second].map(|spent| format!("{:.2} s", spent.cpu.as_secs_f64()));
        let (speed, time) = (per_second(seconds), seconds * 1e6);
        text += &format!("| {} | {speed} | {time:.2} | {ratio} | {first} | {second} |\n", row.contestant);
    }
    text + &threads(group) + &stretches(group) + "\n"
}

/// Several threads against one: medians, and the fastest turns, as two processors are seldom both free of other work.
fn threads(group: &[Row]) -> String {
    let against = |row: &Row| {
        let engine = row.contestant.split(',').next()?;
        let one = group.iter().find(|row| row.contestant == engine && row.threads == 1)?;
        let ([one, best_of_one], [several, best_of_several]) = (one.wall_seconds()?, row.wall_seconds()?);
        let (ratio, best) = (one / several, best_of_one / best_of_several);
        let name = &row.contestant;
        Some(format!("\n`{name}` to one thread, wall time: {ratio:.2}; fastest turns: {best:.2}.\n"))
    };
    group.iter().filter(|row| row.ours() && row.threads != 1).filter_map(against).collect()
}

/// Each of our engines against the word-level one, stretch by stretch.
fn stretches(group: &[Row]) -> String {
    let Some(word) = group.iter().find(|row| row.contestant == "word" && !row.stretches.is_empty()) else {
        return String::new();
    };
    let against = |row: &Row| {
        let ratios: Vec<_> = word.stretches.iter().zip(&row.stretches).map(|(word, own)| word / own).collect();
        let (least, most) = ratios.iter().fold((f64::MAX, 0.0_f64), |(a, b), &r| (a.min(r), b.max(r)));
        let at = ratios.iter().position(|&r| r == least).unwrap_or(0) as u64 * STRETCH;
        format!(
            "\n`{}` to `word`, by {STRETCH} cycles: {least:.2} (from cycle {at} on) to {most:.2}.\n",
            row.contestant
        )
    };
    group.iter().filter(|row| row.ours() && row.contestant != "word").map(against).collect()
}

fn per_second(seconds: f64) -> String {
    grouped((1.0 / seconds).round() as u64)
}

/// One line a contestant and workload. Seconds of a cycle are medians of the turns.
pub fn csv(rows: &[Row]) -> String {
    let mut text = String::from(
        "design,nodes,workload,simulator,threads,turns,cycles_per_turn,seconds_per_cycle,wall_seconds_per_cycle,\
         first_cpu_seconds,first_wall_seconds,second_cpu_seconds,second_wall_seconds,result,note\n",
    );
    for row in rows {
        let number = |value: Option<f64>| value.map_or(String::new(), |v| format!("{v:.4e}"));
        let [first, second] = [row.first, row.second].map(|s| {
            if row.cycles == 0 { ",".into() } else { format!("{:.3},{:.3}", s.cpu.as_secs_f64(), s.wall.as_secs_f64()) }
        });
        text += &format!(
            "{},{},{},\"{}\",{},{},{},{},{},{first},{second},\"{}\",\"{}\"\n",
            row.design,
            row.nodes,
            row.workload,
            row.contestant,
            row.threads,
            row.turns.len(),
            row.cycles,
            number(row.seconds()),
            number(row.wall_seconds().map(|[median, _]| median)),
            row.result,
            row.note.replace('"', "'"),
        );
    }
    text
}
