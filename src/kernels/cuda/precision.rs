//! Functions for both precisions, of which the core has one.

use std::collections::BTreeSet;

use super::items::Items;
use super::names::KEYWORDS;
use super::parse::{Item, NeededBy};
use super::tokens::{Kind, Token};

/// Words that tell no function from another.
const IDLE: [&str; 7] =
    ["__device__", "__host__", "__forceinline__", "__inline__", "__noinline__", "inline", "static"];

impl Items<'_> {
    /// Leaves out functions for `double` where there is the same for `float`: `double` is `float` here, and they would be defined
    /// twice.
    pub fn forget_double(&mut self) {
        let functions = self.items.iter().filter(|item| item.is_function);
        let all: BTreeSet<_> = functions.map(|item| self.signature(item)).collect();
        let as_float = |word: &String| match word.strip_prefix("double") {
            Some(rest) => format!("float{rest}"),
            None => word.clone(),
        };
        let is_double = |item: &Item| {
            let (scope, head) = self.signature(item);
            let single: Vec<String> = head.iter().map(as_float).collect();
            item.is_function && single != head && all.contains(&(scope, single))
        };
        let doubles: Vec<bool> = self.items.iter().map(is_double).collect();
        for (item, _) in self.items.iter_mut().zip(doubles).filter(|(_, is_double)| *is_double) {
            item.needed_by = NeededBy::Never;
        }
    }

    /// What tells a function from all others: the namespaces around it, and what stands before its body but for idle words and
    /// the names of its parameters.
    fn signature(&self, item: &Item) -> (String, Vec<String>) {
        let head: Vec<&Token> = self.plain_tokens(item).take_while(|token| !token.is(b'{')).collect();
        let is_one_of = |token: &Token, signs: &[u8]| signs.iter().any(|&sign| token.is(sign));
        // A word behind a type, or behind what ends one, and before what ends a parameter.
        let names_one = |at: usize| {
            let behind = at > 0 && (head[at - 1].kind == Kind::Word || is_one_of(head[at - 1], b"*&>"));
            let before = head.get(at + 1).is_some_and(|next| is_one_of(next, b",)["));
            head[at].kind == Kind::Word && !KEYWORDS.contains(&head[at].text) && behind && before
        };
        let stays = |at: &usize| !names_one(*at) && !IDLE.contains(&head[*at].text);
        (item.scope.clone(), (0..head.len()).filter(stays).map(|at| head[at].text.to_owned()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Items;

    #[test]
    fn of_functions_for_both_precisions_that_for_float_stays() {
        let mut items = Items::of(
            "__device__ inline double f(double x) { return 1; } __device__ float f(float y) { return 2; }\n\
             template <class T> __device__ T t(T x); template <> __device__ float t<float>(float x) { return 3; }\n\
             template <> __device__ double t<double>(double x) { return 4; } double f(double x, int n) { return 5; }\n\
             namespace a { double f(double x) { return 6; } } float3 operator+(float3 a, float3 b) { return 7; }\n\
             double3 operator+(double3 a, double3 c) { return 8; } float i(float a) { return 9; } float i(float b) { return 10; }",
        );
        items.forget_double();
        let text = items.needed(&["f", "t", "operator", "i"].map(String::from).into(), |_| false);
        let kept = |number: &u32| text.contains(&format!("return {number};"));
        // What is written twice for float is a mistake, which the compiler tells.
        assert_eq!((1..=10).filter(kept).collect::<Vec<u32>>(), [2, 3, 5, 6, 7, 9, 10], "{text}");
    }
}
