//! The bytes written by a backend, shared with the test.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

#[derive(Clone, Default)]
pub struct Written(Rc<RefCell<Vec<u8>>>);

impl Written {
    /// Returns the bytes written since the last call.
    pub fn take(&self) -> Vec<u8> {
        self.0.take()
    }

    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
