//! Progressive bias, and the undamped bias of HUCT: the evaluation in the rule of selection.

/// The evaluation H of the position after a move, from −1 to 1 for the player who makes it, in the bound of that move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bias {
    /// What H is multiplied by; 0 leaves it out.
    pub weight: f64,
    /// Divides by the visits plus one, so that the bias fades (progressive bias; Chaslot, Winands, Uiterwijk, van den Herik and
    /// Bouzy 2008). Undamped it stays for the life of the node (HUCT; King 2014), and the search need not converge.
    pub damped: bool,
}

impl Default for Bias {
    fn default() -> Self {
        Self { weight: 0.0, damped: true }
    }
}

impl Bias {
    /// What is added to the bound of an edge.
    #[inline(always)]
    pub(super) fn term(self, value: f32, visits: u32) -> f32 {
        let term = self.weight as f32 * value;
        if self.damped { term / (visits as f32 + 1.0) } else { term }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bias_fades_with_the_visits_unless_it_is_undamped() {
        // search-methods, 6.5: H = 1, n = 0 gives 1, n = 9 gives 0.1
        let damped = Bias { weight: 1.0, damped: true };
        assert_eq!((damped.term(1.0, 0), damped.term(1.0, 9)), (1.0, 0.1));
        let huct = Bias { weight: 0.5, damped: false };
        assert_eq!((huct.term(1.0, 0), huct.term(-1.0, 999)), (0.5, -0.5));
    }
}
