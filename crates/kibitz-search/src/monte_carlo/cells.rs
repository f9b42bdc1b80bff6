//! Numbers that one thread or several may change.
//!
//! All of them are atomic, because a tree may be shared. Reading and writing an atomic number without an order is a plain
//! move of the processor; only adding costs more when others may add at the same time, so whoever adds says whether
//! they may.

use std::ops::Deref;
use std::sync::atomic::{AtomicI32, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;
use kibitz_game::Score;

/// A number that all threads change all the time, in cache lines of its own: whoever only reads what lies beside it would
/// wait for it. It lies outside of what holds it, too, so that the compiler knows that the rest does not change.
pub(super) struct Apart<T>(Box<Lines<T>>);

#[repr(align(128))]
struct Lines<T>(T);

impl<T> Apart<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Box::new(Lines(value)))
    }
}

impl<T> Deref for Apart<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0.0
    }
}

/// What a column of a tree consists of. A new edge begins with zeros, which the system gives without writing them.
pub(super) trait Cell: Zeroable + Send + Sync {
    /// Another with the same content.
    fn copy(&self) -> Self;
}

/// A sum of real numbers.
#[derive(Zeroable)]
pub(super) struct Real(AtomicU64);

impl Real {
    pub(super) fn new(value: f64) -> Self {
        Self(AtomicU64::new(value.to_bits()))
    }

    #[inline(always)]
    pub(super) fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Relaxed))
    }

    #[inline(always)]
    pub(super) fn set(&self, value: f64) {
        self.0.store(value.to_bits(), Relaxed);
    }

    /// Adds and returns the sum.
    #[inline(always)]
    pub(super) fn add(&self, amount: f64, shared: bool) -> f64 {
        if shared {
            return self.change(|value| value + amount);
        }
        let sum = self.get() + amount;
        self.set(sum);
        sum
    }

    /// Replaces the number by a greater one.
    pub(super) fn raise(&self, value: f64) {
        self.change(|held| held.max(value));
    }

    fn change(&self, change: impl Fn(f64) -> f64) -> f64 {
        let mut held = self.0.load(Relaxed);
        loop {
            let value = change(f64::from_bits(held));
            match self.0.compare_exchange_weak(held, value.to_bits(), Relaxed, Relaxed) {
                Ok(_) => return value,
                Err(now) => held = now,
            }
        }
    }
}

impl Cell for Real {
    fn copy(&self) -> Self {
        Self::new(self.get())
    }
}

/// A small number.
#[derive(Zeroable)]
pub(super) struct Word(AtomicU32);

impl Word {
    pub(super) fn new(value: u32) -> Self {
        Self(AtomicU32::new(value))
    }

    #[inline(always)]
    pub(super) fn get(&self) -> u32 {
        self.0.load(Relaxed)
    }

    #[inline(always)]
    pub(super) fn set(&self, value: u32) {
        self.0.store(value, Relaxed);
    }

    /// Adds and returns the sum.
    #[inline(always)]
    pub(super) fn add(&self, amount: u32, shared: bool) -> u32 {
        if shared {
            return self.0.fetch_add(amount, Relaxed) + amount;
        }
        let sum = self.get() + amount;
        self.set(sum);
        sum
    }

    /// The atomic number itself, for what needs an order.
    pub(super) fn atomic(&self) -> &AtomicU32 {
        &self.0
    }
}

impl Cell for Word {
    fn copy(&self) -> Self {
        Self::new(self.get())
    }
}

/// Sixteen bits of a move.
#[derive(Zeroable)]
pub(super) struct Part(AtomicU16);

impl Part {
    pub(super) fn new(value: u16) -> Self {
        Self(AtomicU16::new(value))
    }

    #[inline(always)]
    pub(super) fn get(&self) -> u16 {
        self.0.load(Relaxed)
    }

    #[inline(always)]
    pub(super) fn set(&self, value: u16) {
        self.0.store(value, Relaxed);
    }
}

impl Cell for Part {
    fn copy(&self) -> Self {
        Self::new(self.get())
    }
}

/// No proven value.
pub(super) const UNPROVEN: Score = Score::MIN;

/// A value that is proven, or not yet; kept so that zero stands for that.
#[derive(Zeroable)]
pub(super) struct Proof(AtomicI32);

impl Proof {
    #[inline(always)]
    pub(super) fn get(&self) -> Score {
        self.0.load(Relaxed) ^ UNPROVEN
    }

    /// In one order for all threads: of two that prove the last two edges of a node at the same time, one must see both.
    pub(super) fn set(&self, value: Score) {
        self.0.swap(value ^ UNPROVEN, std::sync::atomic::Ordering::SeqCst);
    }
}

impl Cell for Proof {
    fn copy(&self) -> Self {
        Self(AtomicI32::new(self.0.load(Relaxed)))
    }
}

/// What is known about the slots of a tree beside the core, one cell a slot; it takes no memory unless it is used.
pub(super) struct Column<T> {
    cells: Vec<T>,
    used: bool,
}

impl<T: Cell> Column<T> {
    pub(super) fn new(used: bool) -> Self {
        Self { cells: Vec::new(), used }
    }

    #[inline(always)]
    pub(super) fn used(&self) -> bool {
        self.used
    }

    /// The cells of all slots; none unless it is used.
    #[inline(always)]
    pub(super) fn cells(&self) -> &[T] {
        &self.cells
    }

    /// The cell of a slot.
    #[inline(always)]
    pub(super) fn at(&self, slot: u32) -> &T {
        &self.cells[slot as usize]
    }
}

/// A column without its type, for what is done to all of them when a tree grows or shrinks.
pub(super) trait AnyColumn {
    /// The bytes of a cell, none if it is not used.
    fn width(&self) -> usize;
    /// Makes as many cells as there is room for slots.
    fn grow(&mut self, slots: usize);
    /// Makes all the cells that there will ever be without touching their memory, unless the system has too little.
    fn spread(&mut self, slots: usize) -> bool;
    /// Moves the cells of so many slots to a lower place.
    fn slide(&mut self, from: usize, to: usize, slots: usize);
    /// Makes the cells from a slot on fresh.
    fn clear(&mut self, from: usize, to: usize);
}

impl<T: Cell> AnyColumn for Column<T> {
    fn width(&self) -> usize {
        if self.used { size_of::<T>() } else { 0 }
    }

    fn grow(&mut self, slots: usize) {
        if self.used && slots > self.cells.len() {
            self.cells.reserve_exact(slots - self.cells.len());
            self.cells.resize_with(slots, T::zeroed);
        }
    }

    fn spread(&mut self, slots: usize) -> bool {
        !self.used || bytemuck::try_zeroed_vec(slots).map(|cells| self.cells = cells).is_ok()
    }

    fn slide(&mut self, from: usize, to: usize, slots: usize) {
        if self.used {
            for i in 0..slots {
                self.cells[to + i] = self.cells[from + i].copy();
            }
        }
    }

    fn clear(&mut self, from: usize, to: usize) {
        if self.used {
            self.cells[from..to].fill_with(T::zeroed);
        }
    }
}
