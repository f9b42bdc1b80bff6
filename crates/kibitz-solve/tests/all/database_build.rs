//! Builds: in memory or on disk, in one go or interrupted, the file is the same to the last byte, and it is right.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::random_graph::{Node, RandomGraph};
use kibitz_game::{Configure, Params, Random, Ranked, Stop, Value, Wdl};
use kibitz_games::Fanorona;
use kibitz_solve::database::format::Metric;
use kibitz_solve::database::{Build, Built, Database, DatabaseError, Residence};
use kibitz_solve::retrograde::Family;

fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn build(metric: Metric, memory: u64) -> Build {
    Build {
        game: "test".to_owned(),
        parameters: Vec::new(),
        pieces: None,
        metric,
        memory,
        threads: 2,
        family: Family::Automatic,
    }
}

fn fanorona(rows: i64, cols: i64) -> Fanorona<u64> {
    let given = [("rows", rows), ("cols", cols)].map(|(name, value)| (name.to_owned(), Value::Integer(value)));
    Fanorona::configure(&Params::complete(&Fanorona::<u64>::parameters(), given).unwrap()).unwrap()
}

fn run<G: Ranked>(build: &Build, game: &G, path: &Path) -> Result<Built, DatabaseError> {
    build.run(game, path, &mut |_| (), &Stop::new())
}

const METRICS: [Metric; 3] = [Metric::None, Metric::Win, Metric::Conversion];

#[test]
fn a_database_of_a_random_graph_holds_the_values_of_the_definition() {
    let place = directory("truth");
    for seed in 0..20 {
        let graph = RandomGraph::new(seed, 1 + seed as usize % 4, 5 + 40 * (seed as usize % 4));
        for metric in METRICS {
            let path = place.join(format!("{seed}-{}.kdb", metric.name()));
            run(&build(metric, 1 << 30), &graph, &path).unwrap();
            let database = Database::open(&path, Residence::default()).unwrap();
            database.fits(&graph, "test").unwrap();
            let truth = graph.truth(metric == Metric::Conversion);
            for (class, (value, distance)) in truth.into_iter().enumerate() {
                if let Some(place) = graph.place(&Node { class, image: 0, turn: 0 }) {
                    assert_eq!(database.lookup(place).unwrap(), value);
                    let counted = metric != Metric::None && value != Wdl::Draw;
                    assert_eq!(database.distance(place).unwrap(), counted.then_some(u32::from(distance)));
                }
            }
            database.verify(&graph, &Stop::new(), &mut |_, _| ()).unwrap();
        }
    }
}

#[test]
fn a_build_on_disk_gives_the_same_bytes_as_one_in_memory() {
    let place = directory("external");
    let mut external = 0;
    for seed in 0..6 {
        let graph = RandomGraph::new(seed, 1 + seed as usize % 2, [300, 2000, 8000][seed as usize % 3]);
        for metric in METRICS {
            let (a, b) = (place.join("memory.kdb"), place.join("disk.kdb"));
            run(&build(metric, 1 << 30), &graph, &a).unwrap();
            let small = run(&build(metric, 1 << 12), &graph, &b).unwrap();
            external += small.external;
            assert!(std::fs::read(&a).unwrap() == std::fs::read(&b).unwrap(), "seed {seed}, {metric:?}: {small:?}");
            assert_eq!(std::fs::read_dir(&place).unwrap().count(), 2, "nothing else is left");
            std::fs::remove_file(a).unwrap();
            std::fs::remove_file(b).unwrap();
        }
    }
    assert!(external > 8, "{external} groups did not fit");
}

#[test]
fn fanorona_built_on_disk_gives_the_same_bytes_as_in_memory() {
    let place = directory("fanorona");
    let game = fanorona(3, 5);
    for metric in METRICS {
        let (a, b) = (place.join("memory.kdb"), place.join("disk.kdb"));
        let with = |memory| Build { pieces: Some(5), ..build(metric, memory) };
        run(&with(1 << 30), &game, &a).unwrap();
        let small = run(&with(4096), &game, &b).unwrap();
        assert!(small.external >= 2, "{small:?}");
        assert!(std::fs::read(&a).unwrap() == std::fs::read(&b).unwrap(), "{metric:?}");
        let database = Database::open(&a, Residence::All).unwrap();
        let checked = database.verify(&game, &Stop::new(), &mut |_, _| ()).unwrap();
        assert_eq!(checked, database.slices().map(|slice| slice.counts[1..].iter().sum::<u64>()).sum());
        std::fs::remove_file(a).unwrap();
        std::fs::remove_file(b).unwrap();
    }
}

#[test]
fn more_pieces_are_added_to_a_database_that_is_there() {
    let place = directory("more");
    let game = fanorona(3, 5);
    let with = |pieces| Build { pieces: Some(pieces), ..build(Metric::Win, 1 << 30) };
    let (a, b) = (place.join("a.kdb"), place.join("b.kdb"));
    run(&with(5), &game, &a).unwrap();
    run(&with(3), &game, &b).unwrap();
    let more = run(&with(5), &game, &b).unwrap();
    assert_eq!((more.kept, more.groups), (2, 4));
    assert!(std::fs::read(&a).unwrap() == std::fs::read(&b).unwrap());
    let again = run(&with(4), &game, &b).unwrap();
    assert_eq!(again.groups, 0, "all of it is there");
    assert!(std::fs::read(&a).unwrap() == std::fs::read(&b).unwrap());
}

#[test]
fn a_database_of_other_rules_is_refused_and_not_overwritten() {
    let place = directory("other");
    let path = place.join("a.kdb");
    let with = |metric| Build { pieces: Some(3), ..build(metric, 1 << 30) };
    run(&with(Metric::None), &fanorona(3, 5), &path).unwrap();
    let before = std::fs::read(&path).unwrap();
    let database = Database::open(&path, Residence::default()).unwrap();
    assert!(database.fits(&fanorona(3, 5), "test").is_ok());
    assert!(database.fits(&fanorona(5, 3), "test").is_ok(), "the same board on its side");
    assert!(matches!(database.fits(&fanorona(3, 7), "test"), Err(DatabaseError::OtherGame(..))));
    assert!(matches!(database.fits(&fanorona(3, 5), "dao"), Err(DatabaseError::OtherGame(..))));
    assert!(run(&with(Metric::None), &fanorona(3, 7), &path).is_err());
    assert!(run(&with(Metric::Win), &fanorona(3, 5), &path).is_err(), "it has no distances");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_build_that_is_stopped_anywhere_goes_on_to_the_same_bytes() {
    let place = directory("stopped");
    let graph = RandomGraph::new(7, 3, 400);
    for (metric, memory) in [(Metric::Win, 1 << 12), (Metric::None, 1 << 12), (Metric::Win, 1 << 30)] {
        let (whole, parts) = (place.join("whole.kdb"), place.join("parts.kdb"));
        run(&build(metric, memory), &graph, &whole).unwrap();
        let mut interruptions = 0;
        for asked in 1.. {
            // a stop that says yes when it is asked for the n-th time, with n larger every time
            let count = std::sync::atomic::AtomicU64::new(0);
            let stop = Stop::polling(1, move || count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= asked);
            match build(metric, memory).run(&graph, &parts, &mut |_| (), &stop) {
                Ok(_) => break,
                Err(DatabaseError::Stopped) => interruptions += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert!(interruptions > 1, "{interruptions} interruptions, {metric:?}, {memory}");
        assert!(std::fs::read(&whole).unwrap() == std::fs::read(&parts).unwrap(), "{metric:?}, {memory}");
        std::fs::remove_file(whole).unwrap();
        std::fs::remove_file(parts).unwrap();
        assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0, "nothing is left");
    }
}

/// What the process that is killed does: this very program with `KIBITZ_KILLED` set.
#[test]
fn the_build_that_is_killed() {
    if let Ok(given) = std::env::var("KIBITZ_KILLED") {
        let (memory, path) = given.split_once(' ').unwrap();
        let with = Build { pieces: Some(6), ..build(Metric::Win, memory.parse().unwrap()) };
        run(&with, &fanorona(3, 5), Path::new(path)).unwrap();
    }
}

#[test]
fn a_build_that_is_killed_at_random_moments_goes_on_to_the_same_bytes() {
    let place = directory("killed");
    let mut random = Random::new(20);
    for memory in ["1000000000", "30000"] {
        let (whole, parts) = (place.join("whole.kdb"), place.join("parts.kdb"));
        let with = Build { pieces: Some(6), ..build(Metric::Win, memory.parse().unwrap()) };
        let begin = std::time::Instant::now();
        run(&with, &fanorona(3, 5), &whole).unwrap();
        let took = begin.elapsed();
        let mut kills = 0;
        loop {
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "database_build::the_build_that_is_killed"])
                .env("KIBITZ_KILLED", format!("{memory} {}", parts.display()))
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            // a process needs a moment to begin; later ones get more time, so that the build ends
            let share = random.unit() * (0.1 + 0.02 * f64::from(kills));
            std::thread::sleep(Duration::from_millis(5) + took.mul_f64(share));
            child.kill().unwrap();
            if child.wait().unwrap().success() {
                break;
            }
            kills += 1;
            assert!(kills < 300, "the build never ends");
        }
        assert!(kills >= 3, "{kills} kills");
        assert!(std::fs::read(&whole).unwrap() == std::fs::read(&parts).unwrap(), "{memory}");
        std::fs::remove_file(whole).unwrap();
        std::fs::remove_file(parts).unwrap();
        assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0, "nothing is left");
    }
}

/// The bytes of all files below a directory; files that vanish meanwhile do not count.
fn bytes_below(path: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(path) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_below(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

#[test]
fn a_build_on_disk_never_needs_more_than_six_bytes_a_position_of_its_largest_group() {
    let place = directory("bounded");
    let game = fanorona(3, 5);
    let with = Build { pieces: Some(6), ..build(Metric::None, 10_000) };
    let group = |slices: &Vec<kibitz_game::Slice>| slices.iter().map(|&slice| game.size(slice)).sum::<u64>();
    let largest = game.groups(Some(6)).iter().map(group).max().unwrap();
    let done = std::sync::atomic::AtomicBool::new(false);
    let peak = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = 0;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                peak = peak.max(bytes_below(&place));
                std::thread::sleep(Duration::from_millis(1));
            }
            peak
        });
        let built = run(&with, &game, &place.join("a.kdb"));
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(built.unwrap().external > 0);
        watch.join().unwrap()
    });
    let finished = bytes_below(&place);
    assert!(peak < 6 * largest + 2 * finished, "{peak} bytes for {largest} positions and {finished} in the end");
}

#[test]
fn verify_finds_a_single_wrong_value() {
    let place = directory("wrong");
    let graph = RandomGraph::new(3, 3, 100);
    let path = place.join("a.kdb");
    for metric in [Metric::None, Metric::Win] {
        run(&build(metric, 1 << 30), &graph, &path).unwrap();
        let sound = Database::open(&path, Residence::All).unwrap();
        sound.verify(&graph, &Stop::new(), &mut |_, _| ()).unwrap();
        // the same file with one value changed and all checksums right
        let header = sound.header().unwrap().clone();
        let mut found = 0;
        for wrong in 0..20u64 {
            let changed = place.join("b.kdb");
            let mut header = header.clone();
            let mut writer = kibitz_solve::database::writer::Writer::create(&changed).unwrap();
            let slices: Vec<_> = header.slices().cloned().collect();
            for (number, slice) in slices.iter().enumerate() {
                let mut values = Vec::new();
                sound.scan(kibitz_game::Slice(slice.number), |_, bytes| values.extend(bytes)).unwrap();
                if number as u64 == wrong % slices.len() as u64 {
                    let rank = (wrong * 31 % slice.size) as usize;
                    let old = values[rank / 4] >> (rank % 4 * 2) & 3;
                    let new = (old + 1) % 4;
                    values[rank / 4] ^= (old ^ new) << (rank % 4 * 2);
                    let held = header.groups.iter_mut().flatten().find(|held| held.number == slice.number).unwrap();
                    held.counts[usize::from(old)] -= 1;
                    held.counts[usize::from(new)] += 1;
                }
                writer.column(&values).unwrap();
                writer.end_column().unwrap();
                if metric != Metric::None {
                    let distances: Vec<u8> = (0..slice.size)
                        .map(|rank| {
                            let place = kibitz_game::Place { slice: kibitz_game::Slice(slice.number), rank };
                            sound.distance(place).unwrap().unwrap_or(0) as u8
                        })
                        .collect();
                    writer.column(&distances).unwrap();
                    writer.end_column().unwrap();
                }
            }
            writer.finish(&header).unwrap();
            let damaged = Database::open(&changed, Residence::All).unwrap();
            damaged.check_blocks(|_| false).unwrap();
            let verdict = damaged.verify(&graph, &Stop::new(), &mut |_, _| ());
            found += usize::from(matches!(verdict, Err(DatabaseError::Corrupt(..))));
        }
        assert_eq!(found, 20, "{metric:?}");
        std::fs::remove_file(&path).unwrap();
    }
}
