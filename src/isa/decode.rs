//! From a word to its row of the table.
//!
//! The functional model decodes whole programs and the random tests millions of words, so a word is
//! first sent to the few candidates that share its major opcode and funct3.

use super::extensions::Extensions;
use super::table::{Op, ISA};
use super::{format, rounding};

/// Decoder buckets: one for each major opcode and funct3, the most candidates one may hold.
const BUCKET: usize = 16;
/// Marks the end of a bucket.
const END: u8 = u8::MAX;

/// The part of a word that selects its bucket: opcode bits 6..2 and funct3.
#[inline]
const fn bucket_of(word: u32) -> usize {
    (word >> 2 & 31 | (word >> 12 & 7) << 5) as usize
}

static BUCKETS: [[u8; BUCKET]; 256] = {
    let mut buckets = [[END; BUCKET]; 256];
    let mut i = 0;
    while i < ISA.len() {
        let mut funct3 = 0;
        while funct3 < 8 {
            if (ISA[i].bits ^ funct3 << 12) & ISA[i].mask & 7 << 12 == 0 {
                let bucket = bucket_of(ISA[i].bits & !(7 << 12) | funct3 << 12);
                let mut slot = 0;
                while buckets[bucket][slot] != END {
                    slot += 1;
                    assert!(slot + 1 < BUCKET, "a decoder bucket is full");
                }
                buckets[bucket][slot] = i as u8;
            }
            funct3 += 1;
        }
        i += 1;
    }
    buckets
};

/// The instruction that `word` encodes, or `None` if it is illegal.
#[inline]
pub fn decode(word: u32) -> Option<Op> {
    for &row in &BUCKETS[bucket_of(word)] {
        if row == END {
            break;
        }
        let instr = &ISA[row as usize];
        if word & instr.mask == instr.bits {
            // A pattern cannot say that two of the eight rounding modes are reserved.
            let reserved = instr.format.has_rounding() && !rounding::is_field(format::rm(word));
            return if reserved { None } else { Some(instr.op) };
        }
    }
    None
}

/// The instruction that `word` encodes on a core with these extensions, or `None` if it is illegal there.
#[inline]
pub fn decode_in(word: u32, extensions: Extensions) -> Option<Op> {
    decode(word).filter(|op| op.is_in(extensions))
}

impl Extensions {
    /// What the instructions of a program need, apart from floating point.
    pub fn needed_by(code: impl Iterator<Item = u32>) -> Self {
        let known = code.filter_map(decode);
        known.fold(Self::default(), |needed, op| Self {
            atomics: needed.atomics || op.is_atomic(),
            cross_lane: needed.cross_lane || op.is_cross_lane(),
            ..needed
        })
    }
}

/// Whether `word` has the major opcode of the atomic instructions. LR and SC, which have it too, are not in the table.
pub fn has_atomic_opcode(word: u32) -> bool {
    word & 0x7f == 0x2f
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_agree_with_a_linear_search() {
        let mut word = 0x1234_5678u32;
        for step in 0..200_000u32 {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Half of the words are near a row, so that the interesting part of the space is met.
            let near = &ISA[step as usize % ISA.len()];
            let probe =
                if step & 1 == 0 { word } else { word & !near.mask | near.bits ^ (word >> 9 & 1) << 25 };
            let legal = |op: &Op| !op.has_rounding() || !matches!(probe >> 12 & 7, 5 | 6);
            let linear = ISA.iter().find(|i| probe & i.mask == i.bits).map(|i| i.op).filter(legal);
            assert_eq!(decode(probe), linear, "{probe:08x}");
        }
    }

    #[test]
    fn atomic_instructions_are_known_as_such() {
        // lr.w, sc.w, amoadd.w, amomaxu.w
        for word in [0x1001_20af, 0x1831_20af, 0x0031_20af, 0xe031_20af] {
            assert!(has_atomic_opcode(word), "{word:08x}");
        }
        assert!(ISA.iter().all(|row| has_atomic_opcode(row.bits) == row.op.is_atomic()));
    }

    #[test]
    fn compressed_and_zero_words_are_illegal() {
        for word in [0, u32::MAX, 0x0000_4501, 0xbaad_f00d] {
            assert_eq!(decode(word), None, "{word:08x}");
        }
    }
}
