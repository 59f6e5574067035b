use super::Layout;
use crate::{Field, Record, Shape, Tag, Union, Unknown, Variant};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Numbers(Vec<u32>);

impl Layout<Field> for Numbers {
    fn compile(fields: &[Field]) -> Self {
        Self(fields.iter().map(Field::number).collect())
    }
}

impl Layout<Variant> for Numbers {
    fn compile(variants: &[Variant]) -> Self {
        Self(variants.iter().map(Variant::number).collect())
    }
}

static COMPILED: AtomicUsize = AtomicUsize::new(0);

struct Keys(Vec<String>);

impl Layout<Field> for Keys {
    fn compile(fields: &[Field]) -> Self {
        COMPILED.fetch_add(1, Ordering::Relaxed);
        Self(fields.iter().map(|field| field.key().to_owned()).collect())
    }
}

fn record() -> Record {
    Record::new("", vec![Field::new("a", 3, Shape::Bool), Field::new("b", 5, Shape::Text)]).unwrap()
}

#[test]
fn every_codec_keeps_its_own_and_clones_share_it() {
    let record = record();
    let numbers = record.layout::<Numbers>();
    assert_eq!(numbers.0, [3, 5]);
    assert_eq!(record.layout::<Keys>().0, ["a", "b"]);
    let clone = record.clone();
    assert!(Arc::ptr_eq(numbers, clone.layout::<Numbers>()));
    assert_eq!(COMPILED.load(Ordering::Relaxed), 1);
    clone.layout::<Keys>();
    assert_eq!(COMPILED.load(Ordering::Relaxed), 1);
    // It is another record, since its fields may differ.
    let other = record.clone().with_unknown(Unknown::Keep(1));
    assert!(!Arc::ptr_eq(numbers, other.layout::<Numbers>()));
}

#[test]
fn constants_have_layouts_too() {
    static ONE: [Field; 2] =
        [Field::fixed("a", "a", &[], 5, &Shape::Bool, true), Field::fixed("b", "b", &[], 2, &Shape::Text, true)];
    static RECORD: Record = Record::fixed("One", &ONE, &[], Unknown::Ignore);
    static VARIANTS: [Variant; 1] = [Variant::fixed("a", 7, &Shape::Bool)];
    static UNION: Union = Union::fixed("Union", &VARIANTS, Tag::None);
    let numbers = RECORD.layout::<Numbers>();
    assert_eq!(numbers.0, [5, 2]);
    assert!(Arc::ptr_eq(numbers, RECORD.clone().layout::<Numbers>()));
    assert_eq!(UNION.layout::<Numbers>().0, [7]);
    assert!(Arc::ptr_eq(UNION.layout::<Numbers>(), UNION.layout::<Numbers>()));
}

#[test]
fn threads_that_compile_at_once_get_the_same() {
    let record = record();
    std::thread::scope(|scope| {
        let found: Vec<_> = (0..8).map(|_| scope.spawn(|| Arc::clone(record.layout::<Numbers>()))).collect();
        let found: Vec<_> = found.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(found.iter().all(|layout| Arc::ptr_eq(layout, &found[0])));
    });
}

#[test]
fn an_override_survives_a_more_detailed_shape_and_nothing_else() {
    let field = Field::new("a", 1, Shape::Any).with_override(7_u8);
    assert_eq!((field.overridden::<u8>(), field.overridden::<u16>()), (Some(&7), None));
    assert_eq!(field.clone().with_inner(Shape::Text).overridden::<u8>(), Some(&7));
    assert_eq!(field.clone().with_required(true).overridden::<u8>(), None);
    assert_eq!(field.clone().with_note("xml", "attribute").overridden::<u8>(), None);
    assert_eq!(field, Field::new("a", 1, Shape::Any));
}
