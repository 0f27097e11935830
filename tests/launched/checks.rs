//! What a check lets pass: beside memory that holds whatever the case says, not what the kernel computes.

use super::folder;
use kernels::Launched;
use model::memory::HEAP_BASE;

const SOURCE: &str = "__global__ void k(float *a) { a[threadIdx.x] = 0; }\n";
const DESCRIPTION: &str = "\
sources = [\"k.cu\"]
[[array]]
name = \"a\"
type = \"float\"
length = 4
[[launch]]
kernel = \"k\"
grid = 1
block = 4
args = [\"a\"]
[[check]]
array = \"a\"
file = \"a.txt\"
tolerance = 0.01
";

/// An infinity is near to itself alone, a NaN to each NaN.
#[test]
fn floating_point_numbers_are_near() {
    const GOOD: [f32; 4] = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 300.0];
    let folder = folder(&[("k.cu", SOURCE), ("k.toml", DESCRIPTION), ("a.txt", "inf -inf nan 300")]);
    let launched = Launched::from_path(&folder.path().join("k.toml"), &[]).unwrap();
    for (index, value, said) in [
        (3, 302.9, None),
        (2, -f32::NAN, None),
        (0, 5.0, Some("a[0] is 5.0, expected inf")),
        (0, f32::MAX, Some("a[0] is 3.4028235e38, expected inf")),
        (0, f32::NEG_INFINITY, Some("a[0] is -inf, expected inf")),
        (1, -3.0, Some("a[1] is -3.0, expected -inf")),
        (1, f32::NAN, Some("a[1] is NaN, expected -inf")),
        (2, 1.0, Some("a[2] is 1.0, expected NaN")),
        (2, f32::INFINITY, Some("a[2] is inf, expected NaN")),
        (3, 303.1, Some("a[3] is 303.1, expected 300.0 within 3.000e0")),
        (3, f32::INFINITY, Some("a[3] is inf, expected 300.0 within 3.000e0")),
        (3, f32::NAN, Some("a[3] is NaN, expected 300.0 within 3.000e0")),
    ] {
        let mut found = GOOD;
        found[index] = value;
        let checked = launched.check(&|address| found[(address - HEAP_BASE) as usize / 4].to_bits());
        let message = checked.err().map(|error| error.to_string());
        match said {
            None => assert_eq!(message, None, "{index} {value}"),
            Some(said) => assert!(message.as_deref().is_some_and(|m| m.ends_with(said)), "{message:?}"),
        }
    }
}
