//! What iPAWS decides by at the end of Adapt, in the manner of its figures 7 and 13 (docs/SCHEDULERS.md, section 6).

use std::fmt::Write;

use super::picture::{self, LEFT, RIGHT, WIDTH};
use cosim::PatternSeen;

/// Above the first picture, and above the rows of each.
const TOP: f64 = 30.0;
const HEAD: f64 = 26.0;
const ROW: f64 = 18.0;
const BAR: f64 = 12.0;
/// Below the rows of each: the axis.
const FOOT: f64 = 30.0;

/// The picture: for each decision a row a resident warp, the oldest at the bottom; its instructions, and behind them what
/// barriers add to its score; the warps of interest bracketed; dotted the line under which the area is the threshold.
pub fn svg(patterns: &[PatternSeen]) -> String {
    let mut out = String::new();
    let mut y = TOP;
    for seen in patterns {
        panel(seen, y, &mut out);
        y += HEAD + ROW * seen.pattern.warps.len() as f64 + FOOT;
    }
    let title = "Instructions of each warp at the end of iPAWS's Adapt";
    picture::svg(title, y, &out)
}

fn panel(seen: &PatternSeen, y: f64, out: &mut String) {
    // The youngest first.
    let mut warps = seen.pattern.warps.clone();
    warps.sort_by_key(|warp| std::cmp::Reverse(warp.age));
    let of_interest = seen.pattern.of_interest();
    let most = warps.iter().filter_map(|warp| warp.score).max().unwrap_or(0);
    let longest = warps.iter().map(|warp| warp.score.unwrap_or(0).max(warp.inst)).max().unwrap_or(0).max(1);
    let scale = (WIDTH - LEFT - RIGHT) / longest as f64;
    let (top, bottom) = (y + HEAD, y + HEAD + ROW * warps.len() as f64);
    let shape = if seen.pattern.concave { "concave: gtlo stays" } else { "convex: lrr" };
    let _ = writeln!(
        out,
        "<text x=\"8\" y=\"{}\">decided before cycle {}: {shape}; warps of interest: {of_interest} of {}, scores {}, threshold {}</text>",
        y + 16.0,
        seen.cycle,
        warps.len(),
        seen.pattern.score_sum(),
        seen.pattern.threshold()
    );
    for (place, warp) in warps.iter().enumerate() {
        let y = top + ROW * place as f64 + (ROW - BAR) / 2.0;
        let (inst, score) = (warp.inst as f64 * scale, warp.score.unwrap_or(warp.inst) as f64 * scale);
        let light = if warp.score.is_some() { 40 } else { 75 };
        let _ = writeln!(
            out,
            "<text class=\"warp\" x=\"{}\" y=\"{}\" text-anchor=\"end\">warp {}</text>\
             <rect x=\"{LEFT}\" y=\"{y}\" width=\"{score:.1}\" height=\"{BAR}\" fill=\"hsl(30,70%,75%)\"/>\
             <rect class=\"inst\" x=\"{LEFT}\" y=\"{y}\" width=\"{inst:.1}\" height=\"{BAR}\" fill=\"hsl(210,55%,{light}%)\">\
             <title>{} instructions{}</title></rect>",
            LEFT - 8.0,
            y + 10.0,
            warp.wid,
            warp.inst,
            warp.score.map_or_else(String::new, |score| format!(", score {score}"))
        );
    }
    // Those of interest are the oldest.
    let interest = bottom - ROW * of_interest as f64;
    let _ = writeln!(
        out,
        "<path class=\"interest\" d=\"M{0} {interest}H{1}V{bottom}H{0}\" fill=\"none\" stroke=\"#c00\" stroke-width=\"1.5\"/>\
         <path class=\"threshold\" d=\"M{LEFT} {interest}L{2:.1} {bottom}\" stroke=\"currentColor\" stroke-width=\"1.5\" \
         stroke-dasharray=\"2 4\"/>",
        LEFT - 2.0,
        LEFT - 6.0,
        LEFT + most as f64 * scale
    );
    let step = picture::step(longest);
    for count in (0..longest + 1).step_by(step as usize) {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{count}</text>",
            LEFT + count as f64 * scale,
            bottom + 14.0
        );
    }
    let _ = writeln!(
        out,
        "<path d=\"M{LEFT} {top}V{bottom}H{}\" fill=\"none\" stroke=\"currentColor\"/>",
        WIDTH - RIGHT
    );
}
