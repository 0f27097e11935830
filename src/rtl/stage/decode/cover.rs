//! Facts about instructions as sums of products of a word's bits.
use isa::Instr;

/// Some bits of a word: `mask` says which, `bits` their values.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Product {
    mask: u32,
    bits: u32,
}

impl Product {
    fn of(row: &Instr) -> Self {
        Self { mask: row.mask, bits: row.bits }
    }

    /// Whether some word has both.
    fn meets(self, other: Self) -> bool {
        (self.bits ^ other.bits) & self.mask & other.mask == 0
    }

    /// Whether each word that has `other` has this too.
    fn includes(self, other: Self) -> bool {
        self.mask & !other.mask == 0 && self.meets(other)
    }

    /// Without the bits, taken in this order, that are not needed to meet none of `others`.
    fn widened(self, order: impl Iterator<Item = u32>, others: &[Self]) -> Self {
        order.fold(self, |product, bit| {
            let mask = product.mask & !(1 << bit);
            let wider = Self { mask, bits: product.bits & mask };
            if others.iter().any(|&other| wider.meets(other)) {
                product
            } else {
                wider
            }
        })
    }

    fn verilog(self) -> String {
        let factors: Vec<_> = (0..32)
            .rev()
            .filter(|bit| self.mask >> bit & 1 == 1)
            .map(|bit| format!("{}instr[{bit}]", if self.bits >> bit & 1 == 1 { "" } else { "~" }))
            .collect();
        factors.join(" & ")
    }
}

/// What holds of some instructions, from as few bits of the word as tell them from those of which it does not.
///
/// Of a word that is no instruction it says one thing or the other, and the same in the hardware as here. Like the
/// decoders of rocket-chip (`DecodeLogic`) this is a two-level minimisation; a greedy one suffices for so few rows.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    products: Vec<Product>,
}

impl Cover {
    /// Of the `rows` those of which `wanted` says yes; where it says nothing either answer will do.
    pub fn new<'a>(rows: impl Iterator<Item = &'a Instr>, wanted: impl Fn(&Instr) -> Option<bool>) -> Self {
        let (mut yes, mut no) = (vec![], vec![]);
        for row in rows {
            match wanted(row) {
                Some(true) => yes.push(Product::of(row)),
                Some(false) => no.push(Product::of(row)),
                None => {}
            }
        }
        // The opcode tells most instructions apart, so its bits go last; from which end is better depends.
        let orders: [Vec<u32>; 2] = [(0..2).chain((7..32).rev()).chain(2..7).collect(), {
            (0..2).chain((7..32).rev()).chain((2..7).rev()).collect()
        }];
        let covers = orders.map(|order| Self::chosen(&yes, &no, &order));
        let size = |cover: &Self| cover.products.iter().map(|product| product.mask.count_ones()).sum::<u32>();
        covers.into_iter().min_by_key(size).unwrap_or_default()
    }

    /// The products that include most of what is left, one after the other.
    fn chosen(yes: &[Product], no: &[Product], order: &[u32]) -> Self {
        let candidates: Vec<_> = yes.iter().map(|row| row.widened(order.iter().copied(), no)).collect();
        let (mut left, mut products) = (yes.to_vec(), vec![]);
        while !left.is_empty() {
            let count = |product: &Product| left.iter().filter(|&&row| product.includes(row)).count();
            // The first of the largest.
            let best = candidates.iter().rev().copied().max_by_key(count).unwrap_or(left[0]);
            left.retain(|&row| !best.includes(row));
            products.push(best);
        }
        Self { products }
    }

    /// Whether it holds of `word`.
    pub fn holds(&self, word: u32) -> bool {
        let word = Product { mask: u32::MAX, bits: word };
        self.products.iter().any(|product| product.includes(word))
    }

    /// The expression over `instr`; `parts` is the text between two products.
    pub fn verilog(&self, parts: &str) -> String {
        match &self.products[..] {
            [] => "1'b0".into(),
            [product] if product.mask == 0 => "1'b1".into(),
            [product] => product.verilog(),
            products => {
                let products: Vec<_> = products.iter().map(|product| product.verilog()).collect();
                format!("({})", products.join(parts))
            }
        }
    }
}
