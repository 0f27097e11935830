//! A preprocessed file in C++, taken apart into what stands at its top level, and what of that something else needs.

use std::collections::BTreeSet;

use super::parse::{item, joined, opens_scope, origin, Item, NeededBy};
use super::tokens::{tokens, Kind, Token};

/// A file.
pub struct Items<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    pub items: Vec<Item<'a>>,
}

impl<'a> Items<'a> {
    /// The items of a text, but for those of the system's headers. Namespaces and `extern "C"` are opened: their braces belong
    /// to no item.
    pub fn of(text: &'a str) -> Self {
        let tokens = tokens(text);
        // Where a file uses a macro of the system's headers, a marker says that the place is of the system.
        let markers = tokens.iter().filter(|token| token.kind == Kind::Marker);
        let origins = markers.filter_map(|marker| origin(marker.text));
        let own: BTreeSet<&str> = origins.filter(|(_, of_system)| !of_system).map(|(file, _)| file).collect();
        let origin =
            |marker| origin(marker).map(|(file, of_system)| (file, of_system && !own.contains(file)));
        let mut items = vec![];
        let (mut file, mut of_system, mut at) = ("", false, 0);
        let mut scopes: Vec<String> = vec![];
        while at < tokens.len() {
            let token = tokens[at];
            if token.kind == Kind::Marker {
                (file, of_system) = origin(token.text).unwrap_or((file, of_system));
                at += 1;
            } else if of_system || token.is(b'}') || token.is(b';') {
                if !of_system && token.is(b'}') {
                    scopes.pop();
                }
                at += 1;
            } else if let Some((open, name)) = opens_scope(&tokens[at..]) {
                scopes.push(name);
                at += open + 1;
            } else {
                let mut item = item(&tokens, at);
                item.file = file;
                item.scope = joined(scopes.iter().map(String::as_str));
                at = item.tokens.end;
                let markers = tokens[item.tokens.clone()].iter().filter(|token| token.kind == Kind::Marker);
                (file, of_system) =
                    markers.filter_map(|marker| origin(marker.text)).next_back().unwrap_or((file, of_system));
                items.push(item);
            }
        }
        let mut all = Self { text, tokens, items };
        all.restrict(NeededBy::Nothing, Self::is_kernel);
        all
    }

    /// Items of which more than their names is wanted.
    fn restrict(&mut self, needed_by: NeededBy, is_such: impl Fn(&Self, &Item) -> bool) {
        let such: Vec<bool> = self.items.iter().map(|item| is_such(self, item)).collect();
        for (item, _) in self.items.iter_mut().zip(such).filter(|(_, is_such)| *is_such) {
            item.needed_by = needed_by;
        }
    }

    /// That kernels run this: what the host alone has is not needed because something in them has its name. Its variables are
    /// never; its functions may be called, by who has forgotten `__device__`, but for those that launch kernels.
    pub fn run_on_device(&mut self) {
        const DEVICE: [&str; 6] =
            ["__device__", "__constant__", "__shared__", "__managed__", "const", "constexpr"];
        let is_marked = |all: &Self, item: &Item| all.words(item).any(|word| DEVICE.contains(&word));
        let of_device = self.items.iter().filter(|item| !item.name.is_empty() && is_marked(self, item));
        let of_device: BTreeSet<String> = of_device.map(Item::path).collect();
        let is_of_host = |all: &Self, item: &Item| !is_marked(all, item) && !all.is_kernel(item);
        self.restrict(NeededBy::Call, |all, item| {
            !item.name.is_empty() && is_of_host(all, item) && !of_device.contains(&item.path())
        });
        self.restrict(NeededBy::Nothing, |all, item| item.is_variable && is_of_host(all, item));
        self.restrict(NeededBy::Never, |all, item| all.launches(item) && is_of_host(all, item));
    }

    /// Whether something launches a kernel: `<<<`.
    fn launches(&self, item: &Item) -> bool {
        let tokens = &self.tokens[item.tokens.clone()];
        tokens.windows(3).any(|three| {
            three.iter().all(|token| token.is(b'<')) && three[2].end() == three[0].begin + three.len()
        })
    }

    /// What an item is written with, but for the lines that it is on.
    pub fn plain_tokens<'s>(&'s self, item: &Item) -> impl Iterator<Item = &'s Token<'a>> + 's {
        self.tokens[item.tokens.clone()].iter().filter(|token| token.kind != Kind::Marker)
    }

    /// Whether something is a kernel, or the declaration of one.
    pub fn is_kernel(&self, item: &Item) -> bool {
        self.words(item).any(|word| word == "__global__")
    }

    /// Whether there is a function of that name that is no kernel; `reduce<64>` is one of the name `reduce`.
    pub fn has_function(&self, name: &str) -> bool {
        let name = name.split('<').next().unwrap_or(name).trim();
        let last = name.rsplit("::").next().unwrap_or(name);
        self.items.iter().any(|item| item.is_function && !self.is_kernel(item) && item.defines.contains(last))
    }

    /// The names of all functions that are no kernels.
    pub fn functions(&self) -> Vec<&'a str> {
        let all = self.items.iter().filter(|item| item.is_function && !self.is_kernel(item));
        let mut names: Vec<&str> = all.flat_map(|item| item.defines.iter().copied()).collect();
        names.retain(|name| !name.starts_with("simt_"));
        names.dedup();
        names
    }

    /// The text with nothing but the items that are needed: by `roots`, those that `always` says, and by each other, and with
    /// the system's headers. Lines stay where they are.
    pub fn needed(&self, roots: &BTreeSet<String>, always: impl Fn(&Item) -> bool) -> String {
        let roots: BTreeSet<&str> = roots.iter().map(String::as_str).collect();
        // Operators are called without a name.
        let mut names: BTreeSet<&str> = roots.iter().copied().chain(["operator"]).collect();
        let mut called = names.clone();
        let mut kept = vec![false; self.items.len()];
        loop {
            let is_new = |(index, item): &(usize, &Item)| {
                let by = match item.needed_by {
                    NeededBy::Name => &names,
                    NeededBy::Call => &called,
                    NeededBy::Nothing => &roots,
                    NeededBy::Never => return false,
                };
                !kept[*index] && (always(item) || item.defines.iter().any(|name| by.contains(name)))
            };
            let new: Vec<usize> =
                self.items.iter().enumerate().filter(is_new).map(|(index, _)| index).collect();
            if new.is_empty() {
                break;
            }
            for index in new {
                kept[index] = true;
                names.extend(self.words(&self.items[index]));
                called.extend(self.called(&self.items[index]));
            }
        }
        let mut text = self.text.as_bytes().to_vec();
        for item in self.items.iter().zip(kept).filter(|(_, kept)| !kept).map(|(item, _)| item) {
            let is_line = |token: &Token| token.kind == Kind::Marker && !token.text.starts_with("#pragma");
            for token in self.tokens[item.tokens.clone()].iter().filter(|token| !is_line(token)) {
                let bytes = &mut text[token.begin..token.end()];
                bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    /// All words of the text.
    pub fn all_words(&self) -> Vec<String> {
        let words = self.tokens.iter().filter(|token| token.kind == Kind::Word);
        words.map(|token| token.text.to_owned()).collect()
    }

    /// The words that parentheses follow, or the arguments of a template.
    fn called<'s>(&'s self, item: &Item) -> impl Iterator<Item = &'a str> + 's {
        let pairs = self.plain_tokens(item).zip(self.plain_tokens(item).skip(1));
        let call = pairs.filter(|(word, next)| word.kind == Kind::Word && (next.is(b'(') || next.is(b'<')));
        call.map(|(word, _)| word.text)
    }

    fn words<'s>(&'s self, item: &Item) -> impl Iterator<Item = &'a str> + 's {
        let tokens = self.tokens[item.tokens.clone()].iter();
        tokens.filter(|token| token.kind == Kind::Word).map(|token| token.text)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Item, Items};

    const FILE: &str = "\
# 1 \"a.cu\"
typedef struct point { float lat, lng; } Point;
FILE *log_file;
extern \"C\" { int twice(int x) { return 2 * x; } }
namespace a { struct S { int f(); }; int S::f() { return twice(3); } }
template <int N> __global__ void tile(Point *p) { p->lat = N; }
__attribute__((noinline)) float table[] = {1, 2}; const int limit = count();
__global__ void
# 7 \"a.cu\"
k(int n) { if (n) helper(n, table[0], '}'); }
template <int N> int order(int x);
template <> int order<3>(int x) { return x; }
template <class T> struct Box { T at(); };
template <class T> T Box<T>::at() { return order<3>(4); }
static void helper(int, float, char);
void helper(int a, float b, char c) { S s; s.f(); order<3>(a); Box<int> box; box.at(); }
Point operator+(Point a, Point b) { return a; }
int main() { k<<<1, 2>>>(3); tile<2><<<1, 1>>>(0); fprintf(log_file, \"}\"); }
";

    fn needed(roots: &[&str]) -> String {
        let roots: BTreeSet<String> = roots.iter().map(|&root| root.into()).collect();
        Items::of(FILE).needed(&roots, |_| false)
    }

    #[test]
    fn kernels_are_found() {
        let names = Items::of(FILE).kernels().into_iter().map(|kernel| kernel.name);
        assert_eq!(names.collect::<Vec<_>>(), ["tile", "k"]);
    }

    #[test]
    fn what_is_needed_stays_where_it_is() {
        let text = needed(&["k"]);
        assert_eq!(text.lines().count(), FILE.lines().count());
        for kept in [
            "table[]",
            "void\n# 7 \"a.cu\"\nk(int n)",
            "void helper(int a",
            "int S::f()",
            "int twice",
            "operator+",
            "int order<3>(int x)",
            "T Box<T>::at()",
        ] {
            assert!(text.contains(kept), "{kept}: {text}");
        }
        // `Point` is needed by the operator.
        assert!(text.contains("typedef"), "{text}");
        for gone in ["main", "tile", "log_file", "limit"] {
            assert!(!text.contains(gone), "{gone}: {text}");
        }
    }

    #[test]
    fn code_of_the_host_comes_with_all_that_it_needs() {
        let text = needed(&["main"]);
        assert!(text.contains("log_file;") && !text.contains("tile(Point"), "{text}");
    }

    /// Variables of functions often have the names of what stands elsewhere.
    #[test]
    fn a_name_of_the_hosts_is_no_call() {
        let file = "std::vector<int> data; const int limit = 4; texture<float> tex; __constant__ int c; struct { int x; } here;\n\
                    int sum(int x) { return x; } __device__ int of(int x); int of(int x) { return x; }\n\
                    __attribute__((aligned(8))) struct S { int x; };\n\
                    __global__ void max(int *p) {} int twice(int x) { return 2 * x; }\n\
                    __global__ void k(int *data, int sum, int max) { data[c] = twice(sum) + limit + tex + here.x + g(of) + S(); }";
        let mut items = Items::of(file);
        items.run_on_device();
        let text = items.needed(&BTreeSet::from(["k".to_owned()]), |_| false);
        for kept in ["limit = 4", "tex;", "c;", "here;", "int of(int x) {", "int twice", "struct S", "void k"]
        {
            assert!(text.contains(kept), "{kept}: {text}");
        }
        for gone in ["vector", "int sum(", "void max"] {
            assert!(!text.contains(gone), "{gone}: {text}");
        }
    }

    /// As the preprocessor leaves `__forceinline__` of a header of the system.
    #[test]
    fn what_a_macro_becomes_is_where_it_is_used() {
        let file =
            "# 1 \"a.cu\"\nint one(int);\n# 2 \"a.cu\" 3\ninline\n# 2 \"a.cu\"\nint two() { return 1; }\n\
                    # 1 \"/usr/b.h\" 1 3\nint three();\n# 3 \"a.cu\" 2\nint four() { return 1; }\n";
        let text = Items::of(file).needed(&BTreeSet::from(["four".to_owned()]), |_| false);
        assert!(!text.contains("inline") && text.contains("three();"), "{text}");
    }

    #[test]
    fn what_is_in_a_class_is_named_with_it() {
        let defines = |text| {
            let all = Items::of(text);
            all.items.iter().flat_map(|item| item.defines.iter().copied()).collect::<Vec<_>>().join(" ")
        };
        for (text, names) in [
            (
                "template <class E> class Log : public E { int line = 1; void f(); } log, *last = 0;",
                "E Log last log",
            ),
            ("struct alignas(8) Pair { int a, b; };", "Pair"),
            ("struct { int alone; } here = {1};", "alone here"),
            ("union { int word; float number; };", "number word"),
            ("enum Shade { dark, light = 3 };", "Shade dark light"),
            ("enum class Way { up = 1 };", "Way"),
            ("typedef struct point { float x; } Point;", "Point point"),
            ("template <class T> T half = T(1) / 2;", "T half"),
            ("const int one = f(x, y), two = {a, b}, *three, four[] = {c};", "four one three two"),
            ("struct { int a; } here = {1, 2}, there = {b};", "a here there"),
        ] {
            assert_eq!(defines(text), names, "{text}");
        }
    }

    /// Defaults, names of operators and what is deleted have the sign of an initializer, and none.
    #[test]
    fn no_initializer_goes_on_behind_a_body() {
        let names = |text: &str| {
            let all = Items::of(text);
            let of = |item: &Item| item.defines.iter().copied().collect::<Vec<_>>().join(" ");
            all.items.iter().map(of).collect::<Vec<_>>().join("; ")
        };
        for (first, name) in [
            ("template <typename T, int N = 64> __global__ void f(T *p) { p[0] = N; }", "f"),
            ("template <class T, std::enable_if_t<sizeof(T) == 4, int> = 0> T f(T x) { return x; }", "f"),
            ("template <class T = A<B<int>>, bool = (1 > 2)> T f() { return 1 > 2; }", "f"),
            ("template <int N = 1 << 4, class T = decltype(p->x)> void f() {}", "f"),
            ("template <class T = int> template <int N = 3> void A<T>::f(T x = 3) {}", "A f"),
            ("template <class T, int N = 4> struct f { T at[N] = {}; };", "f"),
            ("template <class T, int N = 4> using f = A<T, N>;", "f"),
            ("template <template <class> class C = A> constexpr int f = C<int>::x;", "f"),
            ("int f(int a = 3, A b = {4}) { return a; }", "f"),
            ("A &operator+=(A &a, A b) { return a; }", "operator"),
            ("bool operator==(A a, A b) { return a.x == b.x; }", "operator"),
            ("bool operator<=(A a, A b) { return a < b; }", "operator"),
            ("template <class T> A &A::operator=(const T &b) { return *this; }", "A"),
            ("int A::operator()(int x) const { return x; }", "A"),
            ("template <class T> int A::B<T>::operator()(int x) { return x; }", "A B"),
            ("int &A::operator[](int i) { return at[i]; }", "A"),
            ("A::operator bool() const { return x = 1; }", "A"),
            ("A::A(const A &of) = default;", "A"),
            ("void f(A &of) = delete;", "f"),
            ("auto f = [](int x) { return x; };", "f"),
            ("auto f = [&] { return 1; }();", "f"),
            ("A f{1, 2};", "A f"),
        ] {
            assert_eq!(
                names(&format!("{first} int last(int x) {{ return x; }}")),
                format!("{name}; last"),
                "{first}"
            );
        }
    }

    #[test]
    fn unfinished_text_is_taken_as_it_is() {
        for text in [
            "int f(",
            "struct {",
            "struct S {",
            "class S : {} =",
            "}",
            "} ) int x",
            "namespace",
            "extern \"C\"",
            "template",
            "template <",
            "template <int N = 3",
            "template <bool B = a < b> int f() { return 1; }",
            "operator",
            "int operator(",
            "f() =",
            "template <= 3> int x",
            "a ( ) }",
        ] {
            Items::of(text).needed(&BTreeSet::new(), |_| true);
        }
    }
}
