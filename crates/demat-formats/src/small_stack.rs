use core::ops::{Index, IndexMut};

/// A stack with inline storage for its first few entries. Most messages need no more, and an allocation would cost more
/// than all other work on a small message.
#[derive(Debug)]
pub(crate) struct SmallStack<T> {
    few: [T; FEW],
    len: usize,
    more: Vec<T>,
}

const FEW: usize = 4;

impl<T: Default> SmallStack<T> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { few: core::array::from_fn(|_| T::default()), len: 0, more: Vec::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(crate) fn push(&mut self, value: T) {
        if let Some(place) = self.few.get_mut(self.len) {
            *place = value;
        } else {
            self.more.truncate(self.len - FEW);
            self.more.push(value);
        }
        self.len += 1;
    }

    /// Removes the top entry. It keeps its value until another is pushed.
    #[inline]
    pub(crate) fn leave(&mut self) -> Option<&mut T> {
        self.len = self.len.checked_sub(1)?;
        match self.few.get_mut(self.len) {
            Some(place) => Some(place),
            None => self.more.get_mut(self.len - FEW),
        }
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        if index >= self.len {
            return None;
        }
        match self.few.get(index) {
            Some(place) => Some(place),
            None => self.more.get(index - FEW),
        }
    }

    #[inline]
    fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index >= self.len {
            return None;
        }
        match self.few.get_mut(index) {
            Some(place) => Some(place),
            None => self.more.get_mut(index - FEW),
        }
    }

    #[inline]
    pub(crate) fn last(&self) -> Option<&T> {
        self.get(self.len.wrapping_sub(1))
    }

    #[inline]
    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        self.get_mut(self.len.wrapping_sub(1))
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl<T: Default + Copy> SmallStack<T> {
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.leave().copied()
    }

    /// Copies all entries to `to`, replacing its content.
    pub(crate) fn save(&self, to: &mut Vec<T>) {
        to.clear();
        to.extend((0..self.len).filter_map(|index| self.get(index)).copied());
    }

    /// Replaces the content with saved entries.
    pub(crate) fn restore(&mut self, from: &[T]) {
        self.len = 0;
        for value in from {
            self.push(*value);
        }
    }
}

impl<T: Default> Index<usize> for SmallStack<T> {
    type Output = T;
    #[inline]
    fn index(&self, index: usize) -> &T {
        self.get(index).expect("as many were begun")
    }
}

impl<T: Default> IndexMut<usize> for SmallStack<T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.get_mut(index).expect("as many were begun")
    }
}
