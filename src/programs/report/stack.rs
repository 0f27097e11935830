//! Bars that are made of parts, as SVG.

use std::fmt::Write;

use super::escaped;

/// A bar for each row, from left to right in parts of a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// What stands above it.
    pub title: String,
    /// The parts' names with their hue in degrees, saturation and lightness in percent.
    pub parts: Vec<(String, (u32, u32, u32))>,
    /// Names of the rows, and of each as many parts of 1 as there are names.
    pub rows: Vec<(String, Vec<f64>)>,
}

const WIDTH: f64 = 960.0;
/// Where the bars begin: the rows' names are left of it.
const LEFT: f64 = 130.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 54.0;
/// A row, and the bar in it.
const ROW: f64 = 20.0;
const BAR: f64 = 15.0;
/// Width of an entry of the legend.
const ENTRY: f64 = 130.0;

impl Stack {
    /// The picture.
    pub fn svg(&self) -> String {
        let height = TOP + ROW * self.rows.len() as f64 + 4.0;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"currentColor\">\n\
             <text x=\"0\" y=\"16\" font-size=\"14\" font-weight=\"bold\">{}</text>\n",
            escaped(&self.title)
        );
        for (number, (name, colour)) in self.parts.iter().enumerate() {
            let x = LEFT + ENTRY * number as f64;
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"28\" width=\"11\" height=\"11\" fill=\"{}\"/><text x=\"{}\" y=\"38\">{}</text>",
                fill(*colour),
                x + 15.0,
                escaped(name)
            );
        }
        for (number, (name, values)) in self.rows.iter().enumerate() {
            let y = TOP + ROW * number as f64;
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                y + 12.0,
                escaped(name)
            );
            let mut x = LEFT;
            for ((part, colour), value) in self.parts.iter().zip(values) {
                let width = value.max(0.0) * (WIDTH - LEFT - RIGHT);
                if width > 0.0 {
                    let said = escaped(&format!("{name}, {part}: {:.1} %", 100.0 * value));
                    let _ = writeln!(
                        out,
                        "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"{}\">\
                         <title>{said}</title></rect>",
                        fill(*colour)
                    );
                }
                x += width;
            }
        }
        out + "</svg>\n"
    }
}

fn fill((hue, saturation, lightness): (u32, u32, u32)) -> String {
    format!("hsl({hue},{saturation}%,{lightness}%)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_side_by_side_to_scale() {
        let stack = Stack {
            title: "t".into(),
            parts: vec![
                ("a < b".into(), (210, 50, 40)),
                ("none".into(), (0, 0, 0)),
                ("c".into(), (30, 50, 40)),
            ],
            rows: vec![("x".into(), vec![0.25, 0.0, 0.75])],
        };
        let svg = stack.svg();
        assert!(svg.contains("a &lt; b") && !svg.contains("a < b"));
        let bars: Vec<&str> = svg.lines().filter(|line| line.contains("</title></rect>")).collect();
        let number = |bar: &str, name: &str| -> f64 {
            bar.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        let whole = WIDTH - LEFT - RIGHT;
        assert_eq!(bars.len(), 2, "a part of nothing is not drawn");
        assert!((number(bars[0], "width") - whole / 4.0).abs() < 0.06);
        assert!((number(bars[1], "x") - LEFT - whole / 4.0).abs() < 0.06);
        assert!((number(bars[1], "width") - whole * 0.75).abs() < 0.06);
    }
}
