//! `claims.md`: what papers say, and what came out here, from the results that are kept in `results/*.json`.

use super::{
    files::{failed, read},
    tables::{code, table},
};
use crate::Failure;
use measure::study::{ClaimResult, KeptClaims, Verdict, tally};
use std::{
    fs,
    path::{Path, PathBuf},
};

const INTRO: &str = "\
# Claims of the papers

Each study of [`studies/`](../studies) has the claims of a paper; `docs/results/` keeps what came out, and this page is made of it.
*Paper* is the paper's number, *here* the mean over workloads, in brackets the lowest and the highest of several; after a semicolon the
lowest and the highest of several seeds, whose mean it is. A ratio is a speed over another, where the claim says nothing else.

* *holds*: the change has the paper's sign and at least a third of its size.
* *part*: the sign, and less than a third.
* *not*: no change (less than a thirtieth), or the opposite.

Where a paper has a bound, says that nothing changes (within 5 %), or gives a direction without a number (1 % at least), the number
is within (*holds*) or not. A claim that does not hold has its reason below the table, or it is not explained. Below *all* are
sensitivity studies: claims of other studies once more, on chips that are changed; they are not counted a second time.
";

/// The results that the folder keeps, in order of their names.
pub fn kept(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let results = folder.join("results");
    let mut files: Vec<PathBuf> = match fs::read_dir(&results) {
        Ok(entries) => entries.filter_map(Result::ok).map(|entry| entry.path()).collect(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => vec![],
        Err(error) => return Err(failed(&results, "read", &error)),
    };
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    Ok(files)
}

/// The page.
pub fn page(folder: &Path) -> Result<String, Failure> {
    let files = kept(folder)?;
    let studies = files.iter().map(|file| {
        KeptClaims::parse(&read(file)?).map_err(|message| {
            let help = "a file `NAME.claims.json` that `warpmesh study` has written";
            Failure::input_message(format!("{}: {message}", file.display()), help)
        })
    });
    let studies: Vec<KeptClaims> = studies.collect::<Result<_, _>>()?;
    Ok(text(&studies))
}

fn text(studies: &[KeptClaims]) -> String {
    let name = |study: &KeptClaims| {
        let link: String =
            study.title.chars().filter(|c| c.is_alphanumeric() || [' ', '-'].contains(c)).collect::<String>();
        format!("[{}](#{})", study.title, link.to_lowercase().replace(' ', "-"))
    };
    let rows = tally(studies).into_iter().map(|(study, counts)| {
        let [holds, part, not, missing] = counts.map(|count| count.to_string());
        [study.map_or("all".into(), name), holds, part, not, missing]
    });
    let summary = table(["study", "holds", "part", "not", "not measured"], rows);
    let sections: String = studies.iter().map(section).collect();
    format!("{INTRO}\n{summary}{sections}")
}

fn section(study: &KeptClaims) -> String {
    let KeptClaims { title, about, command, remark, workloads, claims, .. } = study;
    let rows = claims.iter().map(|claim| {
        let [about, source] = [&claim.about, &claim.source].map(String::clone);
        [about, source, claim.said(), here(claim), claim.verdict.to_string()]
    });
    let rows = table(["claim", "where", "paper", "here", "verdict"], rows);
    let otherwise = claims.iter().filter(|claim| matches!(claim.verdict, Verdict::Part | Verdict::Not));
    let reasons: String = otherwise
        .map(|claim| {
            let why = if claim.why.is_empty() { "not explained." } else { &claim.why };
            format!("* {}: {why}\n", claim.about)
        })
        .collect();
    let reasons = if reasons.is_empty() { reasons } else { format!("\n{reasons}") };
    let (ran, remark) = (workloads.join(", "), if remark.is_empty() { String::new() } else { format!(" {remark}") });
    format!("\n## {title}\n\n{about}\n\n{} ran {ran}.{remark}\n\n{rows}{reasons}", code(command))
}

/// What was measured, from the lowest to the highest of several workloads and of several seeds.
fn here(claim: &ClaimResult) -> String {
    let Some(measured) = claim.measured else { return "-".into() };
    let of_workloads = match (claim.lowest, claim.highest) {
        (Some(lowest), Some(highest)) if claim.workloads > 1 => format!(" ({lowest:.3} to {highest:.3})"),
        _ => String::new(),
    };
    let of_seeds = match (claim.lowest_of_seeds, claim.highest_of_seeds) {
        (Some(lowest), Some(highest)) => format!("; {} seeds: {lowest:.3} to {highest:.3}", claim.seeds),
        _ => String::new(),
    };
    format!("{measured:.3}{of_workloads}{of_seeds}")
}
