//! Several threads at once: a tree each, one tree for all, or many playouts of one leaf.

mod leaf;
mod root;
mod tree;

pub(super) use leaf::leaf;
pub(super) use root::root;
pub(super) use tree::tree;

/// What the threads of a search share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parallel {
    /// Nothing: a tree a thread, added up at the end (root parallelisation; Cazenave and Jouandeau 2007). The report does not
    /// depend on the threads' speed.
    #[default]
    Root,
    /// One tree without locks, in which a simulation that is going on counts as lost (tree parallelisation with virtual
    /// loss; Chaslot, Winands and van den Herik 2008; Enzenberger and Müller 2010).
    Tree,
    /// A leaf, from which every thread plays out a game (leaf parallelisation; Cazenave and Jouandeau 2007). The report
    /// does not depend on the threads' speed.
    Leaf,
}
