//! A hash of all that a module's text depends on: blocks of equal hash are one.
use super::node::Body;
use foldhash::quality::{FixedState, FoldHasher};
use rust_hdl::core::ast::*;
use rust_hdl::prelude::Verilog;
use std::fmt::Write;
use std::hash::{BuildHasher, Hash, Hasher};
use std::mem::discriminant;

impl Body {
    /// With its fingerprint, when all is there.
    pub(super) fn complete(self) -> Self {
        Self { fingerprint: fingerprint(&self), ..self }
    }
}

/// The hash of a block's heading and code, its signals, and its children, which are the same where their bodies are.
/// Hundreds of lanes are hashed, so the syntax tree is walked and not printed for it.
fn fingerprint(body: &Body) -> u64 {
    let mut code = Code(FixedState::default().build_hasher());
    code.verilog(&body.code);
    code.put(&body.heading);
    code.put((&body.atoms, body.register));
    body.children.iter().for_each(|child| code.put((&child.path, child.body.fingerprint)));
    code.0.finish()
}

/// Takes a syntax tree in, each part with what kind of part it is.
struct Code(FoldHasher<'static>);

impl Write for Code {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

impl Code {
    fn put(&mut self, value: impl Hash) {
        value.hash(&mut self.0);
    }

    fn verilog(&mut self, code: &Verilog) {
        self.put(discriminant(code));
        match code {
            Verilog::Empty => {}
            Verilog::Combinatorial(block) => self.block(block),
            Verilog::Custom(text) => self.put(text),
            Verilog::Blackbox(part) => self.put((&part.code, &part.name)),
            Verilog::Wrapper(part) => self.put((&part.code, &part.cores)),
        }
    }

    fn block(&mut self, block: &[VerilogStatement]) {
        self.put(block.len());
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &VerilogStatement) {
        self.put(discriminant(statement));
        match statement {
            VerilogStatement::Assignment(target, value) => self.expressions(&[target, value]),
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                self.put(width);
                self.expressions(&[base, offset, replacement]);
            }
            VerilogStatement::If(VerilogConditional { test, then, otherwise }) => {
                self.expression(test);
                self.block(then);
                self.put(discriminant(otherwise));
                match otherwise {
                    VerilogBlockOrConditional::Block(block) => self.block(block),
                    VerilogBlockOrConditional::Conditional(statement) => self.statement(statement),
                    VerilogBlockOrConditional::None => {}
                }
            }
            VerilogStatement::Match(VerilogMatch { test, cases }) => {
                self.expression(test);
                self.put(cases.len());
                for case in cases {
                    self.put(&case.condition);
                    self.block(&case.block);
                }
            }
            VerilogStatement::Loop(VerilogLoop { index, from, to, block }) => {
                self.put(index);
                self.literal(from);
                self.literal(to);
                self.block(block);
            }
            VerilogStatement::Comment(text) => self.put(text),
            VerilogStatement::Link(links) => {
                self.put(links.len());
                for link in links {
                    self.put(discriminant(link));
                    let (VerilogLink::Forward(ends)
                    | VerilogLink::Backward(ends)
                    | VerilogLink::Bidirectional(ends)) = link;
                    self.put((&ends.my_name, &ends.owner_name, &ends.other_name));
                }
            }
            VerilogStatement::Macro(block) => self.block(block),
        }
    }

    fn expressions(&mut self, expressions: &[&VerilogExpression]) {
        expressions.iter().for_each(|expression| self.expression(expression));
    }

    fn expression(&mut self, expression: &VerilogExpression) {
        self.put(discriminant(expression));
        match expression {
            VerilogExpression::Signal(name) => self.put(name),
            VerilogExpression::Literal(literal) => self.literal(literal),
            VerilogExpression::Cast(value, width) => {
                self.put(width);
                self.expression(value);
            }
            VerilogExpression::Signed(value)
            | VerilogExpression::Unsigned(value)
            | VerilogExpression::Paren(value) => self.expression(value),
            VerilogExpression::Binary(left, operator, right) => {
                self.put(discriminant(operator));
                self.expressions(&[left, right]);
            }
            VerilogExpression::Unary(operator, value) => {
                self.put(discriminant(operator));
                self.expression(value);
            }
            VerilogExpression::Index(value, index) => self.expressions(&[value, index]),
            VerilogExpression::Slice(value, width, offset) => {
                self.put(width);
                self.expressions(&[value, offset]);
            }
            VerilogExpression::IndexReplace(value, index, new) => self.expressions(&[value, index, new]),
        }
    }

    /// rust-hdl shows a literal's number in its texts only.
    fn literal(&mut self, literal: &VerilogLiteral) {
        // Hashing cannot fail.
        let _ = write!(self, "{literal:x}");
        self.put(());
    }
}
