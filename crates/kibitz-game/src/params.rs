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
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
            Self::Flag(flag) => write!(f, "{flag}"),
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
    /// The least and the greatest value of a whole number.
    pub range: Option<(i64, i64)>,
    /// The words that are allowed.
    pub words: &'static [&'static str],
    /// What it does, in half a sentence.
    pub doc: &'static str,
}

impl Parameter {
    /// A whole number.
    pub const fn integer(name: &'static str, default: i64, range: (i64, i64), doc: &'static str) -> Self {
        Self { name, default: Value::Integer(default), range: Some(range), words: &[], doc }
    }
    /// Yes or no.
    pub const fn flag(name: &'static str, default: bool, doc: &'static str) -> Self {
        Self { name, default: Value::Flag(default), range: None, words: &[], doc }
    }
    /// A word out of `words`, the first of which is the default.
    pub fn word(name: &'static str, words: &'static [&'static str], doc: &'static str) -> Self {
        Self { name, default: Value::Word(words[0].to_owned()), range: None, words, doc }
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
    /// All values in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

impl Parameter {
    fn checked(&self, value: Value) -> Result<Value, BadParameter> {
        let name = self.name;
        match (&self.default, value) {
            (Value::Integer(_), Value::Integer(number)) => match self.range {
                Some((low, high)) if number < low || number > high => {
                    Err(BadParameter(format!("{name}={number} is out of range: {low} to {high}")))
                }
                _ => Ok(Value::Integer(number)),
            },
            (Value::Flag(_), Value::Flag(flag)) => Ok(Value::Flag(flag)),
            (Value::Word(_), Value::Word(word)) if self.words.contains(&word.as_str()) => Ok(Value::Word(word)),
            (Value::Word(_), value) => {
                Err(BadParameter(format!("{name}={value} is not one of {}", self.words.join(", "))))
            }
            (Value::Integer(_), value) => Err(BadParameter(format!("{name}={value} is not a whole number"))),
            (Value::Flag(_), value) => Err(BadParameter(format!("{name}={value} is not true or false"))),
        }
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
