//! The kernel of a solved tree: what of it proves the answer.

use bytemuck::{Pod, Zeroable};

use super::tree::Tree;

/// A node of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Kernel {
    /// The first child.
    pub(super) first: u32,
    /// The number of children; 1 at the nodes of the side that plays the strategy.
    pub(super) count: u16,
    /// Which of all children the first one is.
    pub(super) choice: u16,
}

impl Kernel {
    /// A node without children.
    pub(super) const LEAF: Self = Self { first: 0, count: 0, choice: 0 };
}

/// The kernel of a solved tree, the root first.
pub(crate) fn kernel_of(tree: &Tree, value: bool) -> Vec<Kernel> {
    let mut kernel = vec![Kernel::LEAF];
    let mut origin = vec![0];
    let mut at = 0;
    while at < origin.len() {
        let node = tree.nodes[origin[at]];
        let block = node.children();
        let first = kernel.len();
        if !block.is_empty() && node.or() == value {
            let chosen = block.clone().find(|&child| tree.nodes[child].numbers().solved() == Some(value));
            let chosen = chosen.unwrap_or(block.start);
            kernel[at] = Kernel { first: first as u32, count: 1, choice: (chosen - block.start) as u16 };
            origin.push(chosen);
        } else {
            kernel[at] = Kernel { first: first as u32, count: block.len() as u16, choice: 0 };
            origin.extend(block);
        }
        kernel.resize(origin.len(), Kernel::LEAF);
        at += 1;
    }
    kernel
}

/// How many nodes lie below each node of a kernel, with itself.
pub(super) fn sizes(kernel: &[Kernel]) -> Vec<u32> {
    let mut sizes = vec![1u32; kernel.len()];
    for at in (0..kernel.len()).rev() {
        let Kernel { first, count, .. } = kernel[at];
        let below = &sizes[first as usize..first as usize + usize::from(count)];
        sizes[at] = below.iter().fold(1, |size, each| size.saturating_add(*each));
    }
    sizes
}

/// Whether every node of a kernel leads to later ones of it.
pub(super) fn sound(kernel: &[Kernel]) -> bool {
    kernel.iter().enumerate().all(|(at, node)| {
        let first = node.first as usize;
        node.count == 0 || (first > at && first + usize::from(node.count) <= kernel.len())
    })
}
