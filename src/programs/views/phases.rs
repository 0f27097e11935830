//! The warps of a recording from barrier to barrier, in the manner of BAWS, figures 3, 4 and 6.

use std::fmt::Write;

use super::picture::{self, LEFT, RIGHT, WIDTH};
use cosim::{Phase, Recording};
use spec::config::WarpMask;

const TOP: f64 = 44.0;
/// A row, and the bar in it.
const ROW: f64 = 18.0;
const BAR: f64 = 12.0;
/// Width from which on a phase has its number written in it.
const ROOM: f64 = 14.0;

/// The picture: a row a warp, in it a bar for each phase, pale where the warp waits, in the colour of its block; a line for
/// each barrier that opens, across the warps that it releases, and for the end of each block.
pub fn svg(recording: &Recording) -> String {
    let Recording { warps, begin, end, .. } = *recording;
    let bottom = TOP + ROW * warps as f64;
    let scale = (WIDTH - LEFT - RIGHT) / (end - begin).max(1) as f64;
    let x = |cycle: u64| LEFT + (cycle - begin) as f64 * scale;
    let mut out = String::new();
    let step = picture::step(end - begin);
    let first = begin.next_multiple_of(step);
    for cycle in (first..end).step_by(step as usize) {
        let _ = writeln!(
            out,
            "<path d=\"M{:.1} {TOP}V{bottom}\" stroke=\"currentColor\" stroke-opacity=\"0.15\"/>\
             <text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{cycle}</text>",
            x(cycle),
            x(cycle),
            bottom + 14.0
        );
    }
    for wid in 0..warps {
        let y = TOP + ROW * wid as f64 + 12.0;
        let _ = writeln!(
            out,
            "<text class=\"warp\" x=\"{}\" y=\"{y}\" text-anchor=\"end\">warp {wid}</text>",
            LEFT - 6.0
        );
    }
    for phase in &recording.phases {
        bars(phase, &x, &mut out);
    }
    for barrier in &recording.barriers {
        let (top, rows) =
            (barrier.released.trailing_zeros(), WarpMask::BITS - barrier.released.leading_zeros());
        let _ = writeln!(
            out,
            "<path class=\"barrier\" d=\"M{:.1} {:.1}V{:.1}\" stroke=\"#c00\" stroke-width=\"1.5\">\
             <title>{} of {} warps, opens in cycle {}; RTRU {:.2}</title></path>",
            x(barrier.end + 1),
            TOP + ROW * f64::from(top) + 1.0,
            TOP + ROW * f64::from(rows) - 1.0,
            if barrier.at_exit { "end of a block" } else { "barrier" },
            barrier.warps,
            barrier.end,
            barrier.rtru
        );
    }
    let title = "Warp phases by cycle; pale: waits at a barrier, or for its block to end; red: that opens; a colour a block";
    picture::svg(title, bottom + 22.0, &out)
}

fn bars(phase: &Phase, x: &dyn Fn(u64) -> f64, out: &mut String) {
    let y = TOP + ROW * phase.wid as f64 + (ROW - BAR) / 2.0;
    let hue = (210 + 67 * phase.cta) % 360;
    for (begin, end, light) in [(phase.begin, phase.waits, 45), (phase.waits, phase.end, 85)] {
        if begin == end {
            continue;
        }
        let (left, width) = (x(begin), x(end) - x(begin));
        let _ = writeln!(
            out,
            "<rect x=\"{left:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"hsl({hue},55%,{light}%)\"/>"
        );
    }
    let (left, width) = (x(phase.begin), x(phase.waits) - x(phase.begin));
    if width >= ROOM {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"9\" fill=\"#fff\">{}</text>",
            left + width / 2.0,
            y + 9.0,
            phase.number
        );
    }
}
