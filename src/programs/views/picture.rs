//! What the pictures of this module have in common.

/// Width of a picture, and what of it the names of the rows take.
pub(super) const WIDTH: f64 = 960.0;
pub(super) const LEFT: f64 = 64.0;
pub(super) const RIGHT: f64 = 12.0;

/// The picture with its title and what is drawn in it, for so high a drawing. Text and lines have the page's colour where it
/// is embedded, and black on their own.
pub(super) fn svg(title: &str, height: f64, drawing: &str) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"currentColor\">\n\
         <style>svg{{background:#fff;color:#222}}</style>\n\
         <text x=\"8\" y=\"18\" font-size=\"14\" font-weight=\"bold\">{title}</text>\n{drawing}</svg>\n"
    )
}

/// About eight round steps that divide `length`.
pub(super) fn step(length: u64) -> u64 {
    let mut power = 1;
    loop {
        for factor in [1, 2, 5] {
            if factor * power * 8 >= length {
                return factor * power;
            }
        }
        power *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!([1, 8, 9, 100, 4000, 4001].map(step), [1, 1, 2, 20, 500, 1000]);
    }
}
