//! The shape of the fields around the records of a document, as a class takes them.

use super::{ArrayForm, Node, Program, RecordPlan};
use demat_core::{Field, FloatWidth, Record, Ref, Shape};

impl Program {
    /// Returns the shape to keep values in, of which this program makes its own later: the fields that it reads, and the
    /// kinds that a document without types would not keep exactly. All else is untyped.
    pub(crate) fn header_shape(&self) -> Shape {
        self.kept(&self.root, &mut Vec::new())
    }

    fn kept(&self, node: &Node, open: &mut Vec<usize>) -> Shape {
        match node {
            Node::Decimal => Shape::Decimal,
            Node::Float => Shape::Float(FloatWidth::F64),
            Node::Optional(inner) => match self.kept(inner, open) {
                Shape::Any => Shape::Any,
                kept => kept.optional(),
            },
            Node::List(list) => match self.kept(&list.item, open) {
                Shape::Any => Shape::Any,
                kept => kept.list(),
            },
            Node::Map(map) => match self.kept(&map.value, open) {
                kept if matches!(map.key, Node::Str) && !matches!(kept, Shape::Any) => {
                    Shape::Map(Ref::new(Shape::Text), Ref::new(kept))
                }
                _ => Shape::Any,
            },
            Node::Hook(hook) => self.kept(&hook.read, open),
            Node::Checked(checked) => self.kept(&checked.0, open),
            Node::Record(index) if !open.contains(index) && self.records[*index].form == ArrayForm::Named => {
                open.push(*index);
                let kept = self.kept_record(&self.records[*index], open);
                open.pop();
                kept
            }
            _ => Shape::Any,
        }
    }

    fn kept_record(&self, plan: &RecordPlan, open: &mut Vec<usize>) -> Shape {
        let fields = plan.read.fields().iter().zip(&plan.reads).map(|(field, read)| {
            let kept = Field::new(field.name().to_owned(), field.number(), self.kept(&read.node, open));
            let aliases = field.aliases().to_vec();
            kept.with_key(field.key().to_owned()).with_aliases(aliases).with_required(false)
        });
        match Record::new(plan.name.clone(), fields.collect()) {
            Ok(record) => Shape::record(record.with_unknown(plan.read.unknown())),
            Err(_) => Shape::Any,
        }
    }
}
