//! A database file gives back what was written, and nothing else: damage of any kind is an error.

use std::path::{Path, PathBuf};

use kibitz_game::{Place, Probe, Random, Slice, Wdl};
use kibitz_solve::database::format::{Header, Metric, SliceHeader};
use kibitz_solve::database::writer::Writer;
use kibitz_solve::database::{Database, Residence};

/// A directory of a test of its own, empty.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// What a slice of these tests holds at a rank: long runs of one value and then noise, so that blocks of all kinds occur.
fn truth(slice: u32, rank: u64) -> (Wdl, u32) {
    let noise = kibitz_game::mix(u64::from(slice), rank);
    let run = kibitz_game::mix(u64::from(slice), rank / 200_000);
    let value = Wdl::from_bits(if run.is_multiple_of(2) { run >> 8 } else { noise } as u8);
    let distance = if matches!(value, Wdl::Win | Wdl::Loss) { (noise >> 20) as u32 % 300 } else { 0 };
    (value, distance)
}

fn write(path: &Path, slices: &[(u32, u64)], metric: Metric) {
    let mut writer = Writer::create(path).unwrap();
    let mut group = Vec::new();
    for &(number, size) in slices {
        let mut counts = [0; 4];
        let mut packed = vec![0u8; size.div_ceil(4) as usize];
        for rank in 0..size {
            let value = truth(number, rank).0;
            counts[usize::from(value.bits())] += 1;
            packed[(rank / 4) as usize] |= value.bits() << (rank % 4 * 2);
        }
        // in pieces of any length
        packed.chunks(1_000_003).for_each(|piece| writer.column(piece).unwrap());
        writer.end_column().unwrap();
        if metric != Metric::None {
            let distances: Vec<u8> = (0..size).flat_map(|rank| (truth(number, rank).1 as u16).to_le_bytes()).collect();
            writer.column(&distances).unwrap();
            writer.end_column().unwrap();
        }
        let width = if metric == Metric::None { 0 } else { 2 };
        let name = format!("s{number}");
        group.push(SliceHeader { number, name, size, counts, positions: counts, fingerprint: 0, longest: 299, width });
    }
    let header = Header {
        game: "test".to_owned(),
        parameters: vec![("rows".to_owned(), "5".to_owned())],
        pieces: None,
        metric,
        groups: vec![group],
    };
    writer.finish(&header).unwrap();
}

const SLICES: [(u32, u64); 4] = [(3, 1), (4, 65_536), (9, 1_300_001), (200, 262_143)];

#[test]
fn every_value_and_distance_comes_back() {
    let path = directory("round-trip").join("all.kdb");
    write(&path, &SLICES, Metric::Win);
    for residence in [Residence::All, Residence::Cache(1 << 30), Residence::Cache(5 * (16 << 10)), Residence::Cache(0)]
    {
        let database = Database::open(&path, residence).unwrap();
        database.check_blocks(|_| false).unwrap();
        for (slice, size) in SLICES {
            // a cache that holds one block unpacks one at nearly every question
            for rank in (0..size).step_by(if residence == Residence::Cache(0) { 997 } else { 7 }) {
                let place = Place { slice: Slice(slice), rank };
                let (value, distance) = truth(slice, rank);
                assert_eq!(database.lookup(place).unwrap(), value, "{residence:?} {place:?}");
                let known = matches!(value, Wdl::Win | Wdl::Loss).then_some(distance);
                assert_eq!(database.distance(place).unwrap(), known, "{residence:?} {place:?}");
            }
            let beyond = Place { slice: Slice(slice), rank: size };
            assert_eq!(database.value(beyond), None, "a rank beyond the slice is not known");
        }
        assert_eq!(database.value(Place { slice: Slice(5), rank: 0 }), None, "a slice that is not there is not known");
        assert_eq!(database.value(Place { slice: Slice(u32::MAX), rank: u64::MAX }), None);
    }
}

#[test]
fn the_same_content_gives_the_same_bytes_and_leaves_no_other_file() {
    let place = directory("same-bytes");
    for name in ["a", "b"] {
        write(&place.join(name), &SLICES, Metric::None);
    }
    assert_eq!(std::fs::read(place.join("a")).unwrap(), std::fs::read(place.join("b")).unwrap());
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 2);
}

#[test]
fn several_files_are_one_database_and_overlapping_ones_are_refused() {
    let place = directory("several");
    let (a, b) = (place.join("a"), place.join("b"));
    write(&a, &SLICES[..2], Metric::None);
    write(&b, &SLICES[2..], Metric::None);
    let database = Database::open_all(&[a.clone(), b.clone()], Residence::default()).unwrap();
    for (slice, size) in SLICES {
        let place = Place { slice: Slice(slice), rank: size - 1 };
        assert_eq!(database.lookup(place).unwrap(), truth(slice, size - 1).0);
    }
    let twice = Database::open_all(&[a.clone(), a.clone()], Residence::default());
    assert!(twice.err().unwrap().to_string().contains("twice"));
    write(&b, &SLICES[2..], Metric::Win);
    assert!(Database::open_all(&[a, b], Residence::default()).is_err(), "one with distances and one without");
}

#[test]
fn a_flipped_bit_is_noticed_on_opening_or_by_the_check_and_never_answered() {
    let path = directory("flipped").join("one.kdb");
    write(&path, &SLICES, Metric::Win);
    let sound = std::fs::read(&path).unwrap();
    let mut random = Random::new(1);
    for _ in 0..60 {
        let mut damaged = sound.clone();
        let place = random.below(damaged.len());
        damaged[place] ^= 1 << random.below(8);
        std::fs::write(&path, &damaged).unwrap();
        let Ok(database) = Database::open(&path, Residence::default()) else { continue };
        assert!(database.check_blocks(|_| false).is_err(), "byte {place}");
        assert!(Database::open(&path, Residence::All).is_err(), "everything is checked when everything is loaded");
        // whatever is answered is true
        for (slice, size) in SLICES {
            for rank in (0..size).step_by(9_999) {
                let place = Place { slice: Slice(slice), rank };
                match database.value(place) {
                    Some(value) => assert_eq!(value, truth(slice, rank).0),
                    None => assert!(truth(slice, rank).0 == Wdl::Unknown || database.damage().is_some()),
                }
            }
        }
    }
}

#[test]
fn a_block_that_cannot_be_read_is_remembered_as_damage() {
    let path = directory("remembered").join("one.kdb");
    write(&path, &[(1, 100_000)], Metric::None);
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let database = Database::open(&path, Residence::default()).unwrap();
    assert_eq!(database.damage(), None);
    assert_eq!(database.value(Place { slice: Slice(1), rank: 99_999 }), None);
    assert!(database.damage().unwrap().contains("checksum"));
}

#[test]
fn random_bytes_and_cut_files_are_refused() {
    let path = directory("cut").join("one.kdb");
    write(&path, &SLICES, Metric::None);
    let sound = std::fs::read(&path).unwrap();
    let mut random = Random::new(2);
    for round in 0..300 {
        let bytes: Vec<u8> = match round % 3 {
            0 => sound[..random.below(sound.len())].to_vec(),
            1 => (0..random.below(4000)).map(|_| random.below(256) as u8).collect(),
            _ => {
                let kept = random.below(600);
                let mut bytes = sound[..kept].to_vec();
                bytes.extend((kept..sound.len()).map(|_| random.below(256) as u8));
                bytes
            }
        };
        std::fs::write(&path, &bytes).unwrap();
        match Database::open(&path, Residence::Cache(1 << 20)) {
            Err(_) => (),
            Ok(database) => assert!(round % 3 == 2 && database.check_blocks(|_| false).is_err()),
        }
    }
    assert!(Database::open(&path.with_file_name("absent"), Residence::default()).is_err());
    assert!(Database::open(path.parent().unwrap(), Residence::default()).is_err());
}
