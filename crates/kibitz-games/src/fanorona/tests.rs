//! Fanorona against its sources.
