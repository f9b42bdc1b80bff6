//! Parameters of games, as a user writes them: `breakthrough:rows=6,cols=6`.

use std::collections::BTreeMap;
use std::fmt;

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A word out of a list.
    Word(String),
    /// Yes or no.
    Flag(bool),
    /// Whole numbers, none of them negative, written `3-4-5`.
    List(Vec<i64>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::List(numbers) => {
                let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
                f.write_str(&texts.join("-"))
            }
        }
    }
}

/// One parameter of a game: its name, its default, what it may be, and what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name, lower case.
    pub name: &'static str,
    /// The value when it is not given.
    pub default: Value,
    /// The least and the greatest value of a whole number or of each number of a list.
    pub range: Option<(i64, i64)>,
    /// How many numbers a list has at most; it has at least one.
    pub length: usize,
    /// The words that are allowed.
    pub words: &'static [&'static str],
    /// What it does, in half a sentence.
    pub doc: &'static str,
}

impl Parameter {
    /// A whole number.
    pub const fn integer(name: &'static str, default: i64, range: (i64, i64), doc: &'static str) -> Self {
        Self { name, default: Value::Integer(default), range: Some(range), length: 0, words: &[], doc }
    }
    /// Yes or no.
    pub const fn flag(name: &'static str, default: bool, doc: &'static str) -> Self {
        Self { name, default: Value::Flag(default), range: None, length: 0, words: &[], doc }
    }
    /// A word out of `words`, the first of which is the default.
    pub fn word(name: &'static str, words: &'static [&'static str], doc: &'static str) -> Self {
        Self { name, default: Value::Word(words[0].to_owned()), range: None, length: 0, words, doc }
    }
    /// One to `length` whole numbers, each of them in `range`, which has nothing below zero.
    pub fn list(
        name: &'static str,
        default: &'static [i64],
        range: (i64, i64),
        length: usize,
        doc: &'static str,
    ) -> Self {
        Self { name, default: Value::List(default.to_vec()), range: Some(range), length, words: &[], doc }
    }
}

/// A parameter that does not exist or cannot have this value, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadParameter(pub String);

impl fmt::Display for BadParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadParameter {}

/// The values of all parameters of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params(BTreeMap<&'static str, Value>);

impl Params {
    /// The defaults with what is given in their place, or what is wrong with it.
    pub fn complete(
        parameters: &[Parameter],
        given: impl IntoIterator<Item = (String, Value)>,
    ) -> Result<Self, BadParameter> {
        let mut values: BTreeMap<&'static str, Value> =
            parameters.iter().map(|parameter| (parameter.name, parameter.default.clone())).collect();
        for (name, value) in given {
            let parameter = parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
                let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
                BadParameter(if known.is_empty() {
                    format!("no parameter {name:?}: this game has none")
                } else {
                    format!("no parameter {name:?}; there are {}", known.join(", "))
                })
            })?;
            values.insert(parameter.name, parameter.checked(value)?);
        }
        Ok(Self(values))
    }

    /// The whole number of that name.
    pub fn integer(&self, name: &str) -> i64 {
        match self.0.get(name) {
            Some(Value::Integer(number)) => *number,
            other => panic!("{name} is not declared as a whole number: {other:?}"),
        }
    }
    /// The flag of that name.
    pub fn flag(&self, name: &str) -> bool {
        match self.0.get(name) {
            Some(Value::Flag(flag)) => *flag,
            other => panic!("{name} is not declared as a flag: {other:?}"),
        }
    }
    /// The word of that name.
    pub fn word(&self, name: &str) -> &str {
        match self.0.get(name) {
            Some(Value::Word(word)) => word,
            other => panic!("{name} is not declared as a word: {other:?}"),
        }
    }
    /// The list of that name.
    pub fn list(&self, name: &str) -> &[i64] {
        match self.0.get(name) {
            Some(Value::List(numbers)) => numbers,
            other => panic!("{name} is not declared as a list: {other:?}"),
        }
    }
    /// All values in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

impl Parameter {
    fn checked(&self, value: Value) -> Result<Value, BadParameter> {
        let name = self.name;
        match (&self.default, value) {
            (Value::Integer(_), Value::Integer(number)) => {
                self.in_range(number)?;
                Ok(Value::Integer(number))
            }
            (Value::Flag(_), Value::Flag(flag)) => Ok(Value::Flag(flag)),
            (Value::Word(_), Value::Word(word)) if self.words.contains(&word.as_str()) => Ok(Value::Word(word)),
            (Value::Word(_), value) => {
                Err(BadParameter(format!("{name}={value} is not one of {}", self.words.join(", "))))
            }
            (Value::Integer(_), value) => Err(BadParameter(format!("{name}={value} is not a whole number"))),
            (Value::Flag(_), value) => Err(BadParameter(format!("{name}={value} is not true or false"))),
            (Value::List(_), Value::List(numbers)) => self.checked_list(numbers),
            // a list of one number looks like a number, and a longer one like a word
            (Value::List(_), Value::Integer(number)) => self.checked_list(vec![number]),
            (Value::List(_), value) => {
                let text = value.to_string();
                let numbers = text.split('-').map(|part| {
                    let plain = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
                    part.parse().ok().filter(|_| plain)
                });
                let numbers = numbers.collect::<Option<Vec<i64>>>();
                self.checked_list(numbers.ok_or_else(|| {
                    BadParameter(format!("{name}={text} is not a list of whole numbers such as {}", self.default))
                })?)
            }
        }
    }

    fn in_range(&self, number: i64) -> Result<(), BadParameter> {
        match self.range {
            Some((low, high)) if number < low || number > high => {
                Err(BadParameter(format!("{}={number} is out of range: {low} to {high}", self.name)))
            }
            _ => Ok(()),
        }
    }

    fn checked_list(&self, numbers: Vec<i64>) -> Result<Value, BadParameter> {
        let (name, length, most) = (self.name, numbers.len(), self.length);
        if length == 0 || length > most {
            return Err(BadParameter(format!("{name} has {length} numbers; it takes 1 to {most}")));
        }
        numbers.iter().try_for_each(|&number| self.in_range(number))?;
        Ok(Value::List(numbers))
    }
}

/// A game that can be made from parameters and describes itself, for the registry and the documentation.
pub trait Configure: Sized {
    /// One sentence about the game.
    const SUMMARY: &'static str;
    /// The rules, the notation and the source, as Markdown.
    const RULES: &'static str;
    /// The parameters, in the order in which people think of them.
    fn parameters() -> Vec<Parameter>;
    /// The game with these parameters, or why there is no such game.
    fn configure(params: &Params) -> Result<Self, BadParameter>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piles(value: Value) -> Result<Vec<i64>, BadParameter> {
        let parameters = [Parameter::list("piles", &[3, 4, 5], (0, 9), 4, "stones in each pile")];
        Params::complete(&parameters, [("piles".to_owned(), value)]).map(|params| params.list("piles").to_vec())
    }

    #[test]
    fn a_list_may_come_as_a_list_as_a_number_or_as_text() {
        assert_eq!(piles(Value::List(vec![1, 2])), Ok(vec![1, 2]));
        assert_eq!(piles(Value::Integer(7)), Ok(vec![7]));
        assert_eq!(piles(Value::Word("1-0-9".into())), Ok(vec![1, 0, 9]));
        assert_eq!(Value::List(vec![1, 0, 9]).to_string(), "1-0-9");
    }

    #[test]
    fn a_list_says_what_is_wrong_with_it() {
        for bad in ["", "-", "1-", "-1", "1--2", "1,2", "+1", "a", "99999999999999999999"] {
            assert!(piles(Value::Word(bad.into())).unwrap_err().0.contains("such as 3-4-5"), "{bad}");
        }
        assert!(piles(Value::Flag(true)).unwrap_err().0.contains("not a list"));
        assert!(piles(Value::List(vec![])).unwrap_err().0.contains("1 to 4"));
        assert!(piles(Value::Word("1-1-1-1-1".into())).unwrap_err().0.contains("1 to 4"));
        assert!(piles(Value::Word("1-10".into())).unwrap_err().0.contains("out of range: 0 to 9"));
        assert!(piles(Value::Integer(-1)).unwrap_err().0.contains("out of range"));
    }
}
