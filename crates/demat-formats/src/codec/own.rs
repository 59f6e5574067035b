use super::{Setting, SettingValue};
use core::any::Any;
use core::fmt;

/// The options that only one format has.
///
/// A format with few options stores them by name. A format with an options type stores a value of that type.
#[derive(Debug, Default)]
pub struct OwnOptions {
    named: Vec<(&'static str, SettingValue)>,
    typed: Option<Box<dyn Typed>>,
}

impl OwnOptions {
    /// Returns options as a value of the format's options type.
    pub fn of<T: Any + Copy + PartialEq + fmt::Debug + Send + Sync>(options: T) -> Self {
        Self { named: Vec::new(), typed: Some(Box::new(options)) }
    }

    /// Returns the options as the format's options type, or its default if none were set.
    pub fn typed<T: Any + Copy + Default>(&self) -> T {
        let typed = self.typed.as_deref().map(|typed| typed as &dyn Any);
        typed.and_then(|typed| typed.downcast_ref()).copied().unwrap_or_default()
    }

    /// Changes the options through the format's options type. Returns what the change returns.
    pub fn change<T: Any + Copy + Default + PartialEq + fmt::Debug + Send + Sync, R>(
        &mut self,
        change: impl FnOnce(&mut T) -> R,
    ) -> R {
        let mut typed = self.typed::<T>();
        let changed = change(&mut typed);
        self.typed = Some(Box::new(typed));
        changed
    }

    /// Sets an option; the last value counts.
    pub fn set(&mut self, setting: &Setting, value: SettingValue) {
        self.named.retain(|(name, _)| *name != setting.name);
        self.named.push((setting.name, value));
    }

    /// Returns the value that was set.
    pub fn get(&self, setting: &Setting) -> Option<&SettingValue> {
        self.named.iter().find(|(name, _)| *name == setting.name).map(|(_, value)| value)
    }

    /// Returns the value of a [`Values::Flag`](super::Values::Flag), if it was set.
    pub fn flag(&self, setting: &Setting) -> Option<bool> {
        if let Some(SettingValue::Flag(flag)) = self.get(setting) { Some(*flag) } else { None }
    }

    /// Returns the value of a [`Values::Count`](super::Values::Count), if it was set.
    pub fn count(&self, setting: &Setting) -> Option<u32> {
        if let Some(SettingValue::Count(count)) = self.get(setting) { Some(*count) } else { None }
    }

    /// Returns the value of a [`Values::Text`](super::Values::Text) or a [`Values::Choice`](super::Values::Choice), if
    /// it was set.
    pub fn text(&self, setting: &Setting) -> Option<&str> {
        if let Some(SettingValue::Text(text)) = self.get(setting) { Some(text) } else { None }
    }
}

impl Clone for OwnOptions {
    fn clone(&self) -> Self {
        Self { named: self.named.clone(), typed: self.typed.as_deref().map(Typed::boxed) }
    }
}

impl PartialEq for OwnOptions {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.typed, &other.typed) {
            (Some(own), Some(others)) => own.is_same(&**others),
            (None, None) => true,
            _ => false,
        };
        same && self.named == other.named
    }
}

impl Eq for OwnOptions {}

/// A value of a format's options type.
trait Typed: Any + fmt::Debug + Send + Sync {
    fn boxed(&self) -> Box<dyn Typed>;
    fn is_same(&self, other: &dyn Typed) -> bool;
}

impl<T: Any + Copy + PartialEq + fmt::Debug + Send + Sync> Typed for T {
    fn boxed(&self) -> Box<dyn Typed> {
        Box::new(*self)
    }

    fn is_same(&self, other: &dyn Typed) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Values;
    use super::*;

    #[test]
    fn a_type_of_options_has_its_default_until_it_is_changed() {
        let mut own = OwnOptions::default();
        assert_eq!(own.typed::<u8>(), 0);
        own.change(|count: &mut u8| *count += 2);
        own.change(|count: &mut u8| *count += 2);
        assert_eq!((own.typed::<u8>(), own.typed::<u16>()), (4, 0));
        assert_eq!(own.clone(), own);
        assert_eq!(OwnOptions::of(4_u8), own);
        assert_ne!(OwnOptions::of(4_u16), own);
        assert_ne!(OwnOptions::default(), own);
    }

    #[test]
    fn the_last_value_counts() {
        let text = Setting::new("t", Values::Text, "\"\"", "");
        let mut own = OwnOptions::default();
        assert_eq!(own.text(&text), None);
        own.set(&text, SettingValue::Text("a".into()));
        own.set(&text, SettingValue::Text("b".into()));
        assert_eq!((own.text(&text), own.flag(&text), own.count(&text)), (Some("b"), None, None));
    }
}
