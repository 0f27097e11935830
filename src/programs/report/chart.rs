//! Grouped bars as SVG.

use std::fmt::Write;

use super::escaped;

/// A chart: for each group, a bar of each series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// What the vertical axis counts.
    pub unit: String,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// The bars, series by series.
    pub series: Vec<Series>,
    /// Values known from elsewhere.
    pub marks: Vec<Mark>,
    /// What the marks are; may be empty.
    pub marks_name: String,
    /// Values to compare all bars with.
    pub lines: Vec<Line>,
    /// How far up the axis goes at least: charts that stand together are compared at one scale.
    pub reach: f64,
}

/// Bars of one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Hue in degrees, and lightness in percent.
    pub colour: (u32, u32),
    /// A bar for each group; none where there is nothing to show.
    pub values: Vec<Option<f64>>,
}

/// A dot at a bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The group's number.
    pub group: usize,
    /// The series' number.
    pub series: usize,
    /// Its height.
    pub value: f64,
}

/// A dashed line across.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its height.
    pub value: f64,
    /// What it is.
    pub name: String,
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 340.0;
/// Margins of the plot: left, right, top, bottom.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 62.0;
/// Height of a line of the legend; the first is part of the margin.
const LEGEND_LINE: f64 = 16.0;
const BOTTOM: f64 = 28.0;
/// Part of a group's width that stays empty.
const GAP: f64 = 0.2;
/// Width of the narrowest bar that can be told from its neighbours.
const NARROWEST: f64 = 4.0;
/// Names that are wider than their groups stand at this angle, in degrees.
const SLANT: f64 = 60.0;
/// Width of a letter on average, of the space that a name needs behind it, and of a legend's square.
const LETTER: f64 = 6.5;
const SPACE: f64 = 9.0;
const SQUARE: f64 = 15.0;

/// Width of the longest of some names.
fn longest<'a>(names: impl Iterator<Item = &'a str>) -> f64 {
    LETTER * names.map(|name| name.chars().count()).max().unwrap_or(0) as f64 + SPACE
}

/// A step of 1, 2, 2.5 or 5 times a power of ten that divides the axis up to `top` into about five.
fn step(top: f64) -> f64 {
    let rough = (top / 5.0).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 2.5, 5.0].into_iter().find(|factor| factor * power >= rough * 0.999);
    factor.unwrap_or(10.0) * power
}

/// A number as short as it can be said.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Chart {
    /// How many groups of so many bars there is room for.
    pub fn room(series: usize) -> usize {
        ((WIDTH - LEFT - RIGHT) * (1.0 - GAP) / (NARROWEST * series.max(1) as f64)).max(1.0) as usize
    }

    /// The picture, as part of a page.
    pub fn svg(&self) -> String {
        self.drawn("")
    }

    /// The picture by itself, dark on white.
    pub fn file(&self) -> String {
        self.drawn("<style>svg{background:#fff;color:#222}</style>\n")
    }

    fn drawn(&self, style: &str) -> String {
        let (top, step) = self.axis();
        let (more, names) = (self.more_legend(), self.slanted_names().unwrap_or(0.0));
        let y = |value: f64| HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {} {WIDTH} {}\" role=\"img\" \
             font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"currentColor\">\n\
             {style}<text x=\"{LEFT}\" y=\"{}\" font-size=\"14\" font-weight=\"bold\">{}</text>\n",
            0.0 - more,
            HEIGHT + more + names,
            18.0 - more,
            escaped(&self.title)
        );
        self.legend(&mut out);
        let ticks = (top / step).round() as u32;
        for value in (0..ticks + 1).map(|tick| f64::from(tick) * step) {
            let (at, end) = (y(value), WIDTH - RIGHT);
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {at:.1}H{end}\" stroke=\"currentColor\" stroke-opacity=\"0.15\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                at + 4.0,
                short(value)
            );
        }
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        let _ = writeln!(
            out,
            "<text transform=\"translate(14 {middle:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escaped(&self.unit)
        );
        self.bars(&mut out, &y);
        // The page's colour around the text, because bars may be behind it.
        for line in &self.lines {
            let (at, end) = (y(line.value), WIDTH - RIGHT);
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {at:.1}H{end}\" stroke=\"currentColor\" stroke-dasharray=\"5 4\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" style=\"stroke:var(--page,#fff)\" stroke-width=\"4\" \
                 paint-order=\"stroke\">{}</text>",
                end - 2.0,
                at - 4.0,
                escaped(&line.name)
            );
        }
        out + "</svg>\n"
    }

    /// The height of the axis, and of its steps.
    fn axis(&self) -> (f64, f64) {
        let bars = self.series.iter().flat_map(|series| series.values.iter().flatten().copied());
        let others = self.marks.iter().map(|mark| mark.value).chain(self.lines.iter().map(|line| line.value));
        let highest = bars.chain(others).fold(self.reach, f64::max);
        let step = step(if highest > 0.0 { highest } else { 1.0 });
        ((highest / step).ceil().max(1.0) * step, step)
    }

    fn group_width(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / self.groups.len().max(1) as f64
    }

    /// What the groups' names take below the picture if they are too long to stand side by side.
    fn slanted_names(&self) -> Option<f64> {
        let longest = longest(self.groups.iter().map(String::as_str));
        (longest > self.group_width()).then(|| (longest * SLANT.to_radians().sin()).ceil())
    }

    /// What the legend's lines but the last take above the picture.
    fn more_legend(&self) -> f64 {
        LEGEND_LINE * (self.series.len().saturating_sub(1) / self.entries_a_line()) as f64
    }

    /// Width of an entry of the legend.
    fn entry(&self) -> f64 {
        SQUARE + longest(self.series.iter().map(|series| series.name.as_str()))
    }

    fn entries_a_line(&self) -> usize {
        ((WIDTH - LEFT) / self.entry()).max(1.0) as usize
    }

    fn legend(&self, out: &mut String) {
        for (number, series) in self.series.iter().enumerate() {
            let (hue, light) = series.colour;
            let (line, place) = (number / self.entries_a_line(), number % self.entries_a_line());
            let x = LEFT + self.entry() * place as f64;
            let y = 30.0 - self.more_legend() + LEGEND_LINE * line as f64;
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"11\" height=\"11\" fill=\"hsl({hue},55%,{light}%)\"/>\
                 <text x=\"{}\" y=\"{}\">{}</text>",
                x + SQUARE,
                y + 10.0,
                escaped(&series.name)
            );
        }
        if !self.marks.is_empty() {
            let _ = writeln!(
                out,
                "<circle cx=\"{}\" cy=\"52\" r=\"4\" style=\"fill:var(--page,#fff)\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\
                 <text x=\"{}\" y=\"56\">{}</text>",
                LEFT + 5.0,
                LEFT + 15.0,
                escaped(&self.marks_name)
            );
        }
    }

    fn bars(&self, out: &mut String, y: &dyn Fn(f64) -> f64) {
        let group_width = self.group_width();
        let bar = group_width * (1.0 - GAP) / self.series.len().max(1) as f64;
        let left = |group: usize, series: usize| {
            LEFT + (group as f64 + GAP / 2.0) * group_width + series as f64 * bar
        };
        for (group, name) in self.groups.iter().enumerate() {
            let centre = LEFT + (group as f64 + 0.5) * group_width;
            let below = HEIGHT - 9.0;
            let place = match self.slanted_names() {
                None => format!("x=\"{centre:.1}\" y=\"{below:.1}\" text-anchor=\"middle\""),
                Some(_) => {
                    let (x, y) = (centre + 4.0, below - 4.0);
                    format!("transform=\"translate({x:.1} {y:.1}) rotate(-{SLANT})\" text-anchor=\"end\"")
                }
            };
            let _ = writeln!(out, "<text {place}>{}</text>", escaped(name));
            for (number, series) in self.series.iter().enumerate() {
                let Some(value) = series.values.get(group).copied().flatten() else { continue };
                let ((hue, light), at) = (series.colour, y(value));
                let _ = writeln!(
                    out,
                    "<rect x=\"{:.1}\" y=\"{at:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                     fill=\"hsl({hue},55%,{light}%)\"><title>{}</title></rect>",
                    left(group, number),
                    bar * 0.92,
                    y(0.0) - at,
                    escaped(&format!("{name}, {}: {}", series.name, short(value)))
                );
            }
        }
        for mark in &self.marks {
            let centre = left(mark.group, mark.series) + bar * 0.46;
            let _ = writeln!(
                out,
                "<circle cx=\"{centre:.1}\" cy=\"{:.1}\" r=\"4\" style=\"fill:var(--page,#fff)\" stroke=\"currentColor\" \
                 stroke-width=\"1.5\"><title>{}</title></circle>",
                y(mark.value),
                escaped(&format!("{}: {}", self.marks_name, short(mark.value)))
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_steps() {
        assert_eq!(
            [0.9, 1.0, 1.06, 3.0, 21.62, 81.12, 1000.0].map(step),
            [0.2, 0.2, 0.25, 1.0, 5.0, 20.0, 200.0]
        );
        assert_eq!([0.6, 20.0, 0.25, 0.0].map(short), ["0.6", "20", "0.25", "0"]);
    }

    #[test]
    fn every_value_is_drawn_to_scale() {
        let series = |values: [Option<f64>; 2]| Series {
            name: "a < b".into(),
            colour: (210, 40),
            values: values.to_vec(),
        };
        let chart = Chart {
            title: "t".into(),
            unit: "u".into(),
            groups: vec!["x".into(), "y".into()],
            series: vec![series([Some(1.0), Some(0.5)]), series([None, Some(0.0)])],
            marks: vec![Mark { group: 1, series: 0, value: 0.75 }],
            marks_name: "published".into(),
            lines: vec![Line { value: 1.0, name: "one".into() }],
            ..Chart::default()
        };
        let svg = chart.svg();
        assert_eq!(svg.matches("</title></rect>").count(), 3, "{svg}");
        assert_eq!(svg.matches("</title></circle>").count(), 1);
        assert!(svg.contains("a &lt; b") && !svg.contains("a < b"));
        let heights: Vec<f64> = svg
            .lines()
            .filter(|line| line.contains("</title></rect>"))
            .filter_map(|line| line.split("height=\"").nth(1)?.split('"').next()?.parse().ok())
            .collect();
        let whole = HEIGHT - TOP - BOTTOM;
        assert_eq!(heights, [whole, whole / 2.0, 0.0]);
        let further = Chart { reach: 2.0, ..chart.clone() }.svg();
        assert!(further.contains(&format!("height=\"{:.1}\" fill", whole / 2.0)), "{further}");
        assert!(chart.file().contains("background") && !svg.contains("background"));
    }

    #[test]
    fn many_names_stand_aslant() {
        let chart = |groups: usize| {
            let groups: Vec<_> = (0..groups).map(|number| format!("kernel_{number}:1024")).collect();
            let values = vec![Some(1.0); groups.len()];
            let (title, unit) = ("t".into(), "u".into());
            let series = vec![Series { name: "s".into(), colour: (210, 40), values }];
            Chart { title, unit, groups, series, ..Chart::default() }.svg()
        };
        let slanted = |svg: &str| svg.matches("rotate(-60)").count();
        let (few, many) = (chart(5), chart(23));
        assert_eq!((slanted(&few), slanted(&many)), (0, 23));
        assert!(few.contains(&format!(" {HEIGHT}\"")) && !many.contains(&format!(" {HEIGHT}\"")));
        assert!([1, 7, 17].map(Chart::room) == [179, 25, 10], "{:?}", [1, 7, 17].map(Chart::room));
    }
}
