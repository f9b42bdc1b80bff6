"""King's experiments with Crossings and Epaminondas: players, games and puzzles are those of the thesis."""

from __future__ import annotations

import json
import math
import random
from types import SimpleNamespace
from typing import Any

import kibitz as kb
import pytest
from kibitz.arena.batches import Comparison
from kibitz.arena.playing import MoveRecord
from kibitz.cli import app
from kibitz.experiments import experiment
from kibitz.experiments.king_complexity import Player as SelfPlayer
from kibitz.experiments.king_complexity import _by_player, _columns, _peak
from kibitz.experiments.king_gap import UCT, VARIANTS, player
from kibitz.experiments.king_matches import SIZES, Played, _judged
from kibitz.experiments.king_players import COLOURS, GAMES, crossings, game, huct, scaled, uct
from kibitz.experiments.king_puzzles import PUZZLES, winning
from kibitz.experiments.king_statistics import SECONDS
from kibitz.experiments.literature import published
from typer.testing import CliRunner


def position_of(name: str, plies: int, seed: int) -> kb.Position:
    chance = random.Random(seed)
    position: kb.Position = game(name).start()
    for _ in range(plies):
        position = position.play(chance.choice(position.moves))
    return position


# the players


@pytest.mark.parametrize("name", GAMES)
def test_the_alpha_beta_player_of_the_thesis_has_the_value_of_minimax(name: str) -> None:
    for seed in range(3):
        position = position_of(name, 12 + seed, seed)
        depth = 3 if name == "crossings" else 2
        exact = kb.Minimax(depth=depth).search(position)
        found = kb.king(depth=depth, same_depth=True).search(position)
        assert found.value == exact.value
        assert found.nodes < exact.nodes


def test_its_parts_are_the_published_ones_and_can_be_replaced() -> None:
    player = kb.king()
    assert (player.depth, player.deepening, player.replacement, player.etc) == (3, False, "always", False)
    assert player.killers
    assert player.history
    assert kb.king(depth=5, killers=False) == player.replace(depth=5, killers=False)


def test_half_of_the_constant_chooses_the_same_move_when_results_are_scaled_to_one() -> None:
    chance = random.Random(1)
    for _ in range(200):
        visits = [chance.randint(1, 50) for _ in range(8)]
        means = [chance.uniform(-1, 1) for _ in visits]
        log = math.log(sum(visits))
        thesis = [mean + 0.445 * math.sqrt(log / n) for mean, n in zip(means, visits, strict=True)]
        ours = [(1 + mean) / 2 + scaled(0.445) * math.sqrt(log / n) for mean, n in zip(means, visits, strict=True)]
        assert max(range(8), key=thesis.__getitem__) == max(range(8), key=ours.__getitem__)
    assert (uct(100).c, huct(100).c) == (0.2225, 0.3335)


@pytest.mark.parametrize("name", GAMES)
def test_the_plain_sum_has_all_fourteen_features_with_one_weight(name: str) -> None:
    rules = game(name)
    assert isinstance(rules, kb.NativeGame)
    weights = {key: value for key, value in rules.params.items() if key not in ("setup", "symmetry", "plies")}
    assert len(weights) == 14
    assert {feature: weight for feature, weight in weights.items() if weight != 10} == {"edge": -10}


def test_pieces_cross_when_their_lead_enters_the_far_row() -> None:
    moves = [
        (0, "[H2,H3,H4]-H1"),
        (1, "[L10,K9,J8]-N12"),
        (0, "[D1,C1]-E1"),
        (1, "[C4,C3] x C5"),
        (0, "[B2,B3] x B1"),
        (1, "pass"),
    ]
    record: Any = SimpleNamespace(
        moves=[MoveRecord(seat, move, None, None, None, None, 1, "search") for seat, move in moves]
    )
    assert crossings("epaminondas", record) == [{"H": 1, "B": 1}, {"N": 1}]


# complexity


def test_self_play_keeps_the_legal_moves_of_every_ply_and_where_pieces_cross() -> None:
    run = experiment("king-complexity-crossings").run
    unit = {"game": "crossings", "depth": 1, "weights": "plain", "first": 0, "games": 2}
    found = run(unit)
    assert found == run(unit) == json.loads(json.dumps(found))
    for played in found["played"]:
        assert played["legal"][0] == 60
        assert played["result"] in (-1, 0, 1)
        assert 0.3 * sum(played["legal"]) < played["phalanx"] < 0.8 * sum(played["legal"])
        assert set(played["crossings"][0]) | set(played["crossings"][1]) <= set("ABCDEFGH")
    assert len({str(played) for played in found["played"]}) == 2


def test_the_thesis_depth_is_judged_at_full_scale() -> None:
    from kibitz.experiments.king_complexity import SIZES as GAMES_OF

    judged = {name: next(iter(scales["full"])) for name, scales in GAMES_OF.items()}
    assert judged == {"crossings": SelfPlayer(5), "epaminondas": SelfPlayer(3)}
    assert {GAMES_OF[name]["full"][player] for name, player in judged.items()} == {1000}


def test_columns_and_peaks_are_judged_by_what_the_thesis_says() -> None:
    def games(columns: str, legal: list[int]) -> list[dict[str, Any]]:
        return [{"legal": legal, "phalanx": 0, "result": 1, "crossings": [{each: 1}, {}]} for each in columns]

    player = SelfPlayer(3)
    rising = [100 + min(ply, 40 - ply) for ply in range(40)]
    assert _columns("epaminondas", player, games("DDDKKKA", rising)).verdict == "agrees"
    assert _columns("epaminondas", player, games("DDDKKAAAAA", rising)).verdict == "same direction"
    assert _columns("epaminondas", player, games("AAAN", rising)).verdict == "differs"
    assert _peak(player, games("AB", rising), 20).verdict == "agrees"
    assert _peak(player, games("AB", rising), 10).verdict == "differs"
    assert list(_by_player([{"depth": 3, "weights": "plain", "played": games("A", rising)}])) == [player]


@pytest.mark.parametrize(("name", "printed", "correct"), [("crossings", "241,845", "306,228"), ("epaminondas", "", "")])
def test_the_command_prints_the_published_figures_by_both_ways_of_counting(
    name: str, printed: str, correct: str
) -> None:
    given = ("complexity", name, "-n", "2", "--positions", "100", "-j", "0")
    done = CliRunner().invoke(app, given, env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    for text in ("Published", "King 2014", "legal moves at ply 1", "game tree b^d", printed, correct):
        assert text in done.output
    data = json.loads(CliRunner().invoke(app, [*given, "--json"]).stdout)
    assert [each["label"] for each in data["published"]].count("positions, at most") == 2


def test_published_figures_are_only_shown_for_the_usual_board() -> None:
    assert [each.text for each in published(kb.game("crossings"))[:3:2]] == ["110 (deviation 27)", "39 (deviation 31)"]
    assert published(kb.game("epaminondas", territory=3)) == published(kb.game("epaminondas"))
    assert published(kb.game("epaminondas", setup="puzzle1")) == ()
    assert published(kb.game("breakthrough"))
    assert published(kb.game("breakthrough", rows=6)) == ()
    assert published(kb.game("nim")) == ()


# matches


@pytest.mark.parametrize("name", GAMES)
def test_every_player_meets_alpha_beta_with_both_colours_at_four_levels(name: str) -> None:
    units = experiment(f"king-matches-{name}").units("full")
    size = SIZES[name]["full"]
    assert (size.games, size.batch, size.depth) == (5000, 100, 3)
    cells: dict[tuple[str, str, int], int] = {}
    for unit in units:
        key = (unit["player"], unit["colour"], unit["simulations"] // size.simulations)
        cells[key] = cells.get(key, 0) + unit["games"]
    met = {(player, colour, seconds) for player in ("UCT", "HUCT") for colour in COLOURS for seconds in SECONDS}
    assert cells == dict.fromkeys([*met, ("alpha-beta", "White", 0)], 5000)


def test_a_match_is_a_function_of_its_unit_and_results_are_of_the_named_player() -> None:
    run = experiment("king-matches-crossings").run
    unit = {"game": "crossings", "player": "UCT", "colour": "Black", "seconds": 1, "simulations": 2, "depth": 2}
    found = run({**unit, "first": 0, "games": 2})
    assert found["played"][1] == run({**unit, "first": 1, "games": 1})["played"][0]
    # Two simulations a move are no match for alpha-beta.
    assert [result for result, _ in found["played"]] == [-1, -1]
    alone = run({**unit, "player": "alpha-beta", "colour": "White", "first": 0, "games": 3})
    assert len({plies for _, plies in alone["played"]}) > 1


def test_games_seen_from_the_other_side_exchange_wins_and_losses() -> None:
    played = Played([(1, 30), (1, 40), (0, 50), (-1, 60)], 2)
    assert (played.wins, played.batches, played.count(0)) == (0.5, [1.0, 0.0], 1)
    assert (played.turned().wins, played.turned().batches) == (0.25, [0.0, 0.5])


def test_a_difference_agrees_when_sign_and_significance_do() -> None:
    sure, unsure, other = Comparison(3.0, (98,), 0.003), Comparison(1.0, (98,), 0.3), Comparison(-3.0, (98,), 0.003)
    assert _judged(True, 0.03, sure)[0] == "agrees"
    assert _judged(False, -0.01, unsure)[0] == "agrees"
    assert _judged(True, 0.03, unsure)[0] == "same direction"
    assert _judged(True, -0.03, unsure)[0] == "measured"
    assert _judged(True, 0.03, other)[0] == "differs"
    assert _judged(False, 0.01, sure)[0] == "differs"


# puzzles


@pytest.mark.parametrize("name", PUZZLES)
def test_exactly_the_key_move_wins_in_time_and_alpha_beta_finds_it(name: str) -> None:
    puzzle, position = PUZZLES[name], kb.game("epaminondas", setup=name).start()
    assert len(position.moves) == puzzle.moves
    assert winning(position, puzzle.plies) == [puzzle.key]
    assert winning(position, puzzle.plies - 2) == []
    report = kb.king(depth=puzzle.plies).search(position)
    assert (position.notation(report.best), report.value, report.proven) == (puzzle.key, 1, True)


@pytest.mark.parametrize("name", PUZZLES)
def test_the_move_that_monte_carlo_search_proves_wins(name: str) -> None:
    position = kb.game("epaminondas", setup=name).start()
    report = kb.Uct(simulations=1_000_000, seed=1).search(position)
    assert report.proven
    assert report.value == 1
    after = position.play(report.best)
    assert kb.AlphaBeta(depth=9).search(after).value == -1


# the gap


def test_every_remedy_is_added_alone_to_uct() -> None:
    base = player(UCT, "simulations", 100)
    assert base == uct(100, final_move="robust")
    assert player("UCT of the thesis", "simulations", 100) == uct(100)
    for variant, changes in VARIANTS.items():
        assert player(variant, "simulations", 100) == base.replace(**changes)
        timed = player(variant, "seconds", 0.5)
        assert (timed.simulations, timed.seconds) == (None, 0.5)
    assert len({str(player(variant, "simulations", 100)) for variant in VARIANTS}) == len(VARIANTS) == 7


def test_what_closes_the_gap_is_named_only_beyond_doubt() -> None:
    def results(scores: dict[str, list[float]]) -> list[dict[str, Any]]:
        return [
            {"variant": variant, "kind": "simulations", "score": score}
            for variant in VARIANTS
            for score in scores.get(variant, [0.0, 0.5, 0.0, 0.0])
        ]

    summarize = experiment("king-gap").summarize
    (nothing,) = (row for row in summarize("quick", results({})) if "closes" in row.label)
    assert nothing.measured == "none beyond doubt"
    strong = {"implicit minimax": [1.0, 1.0, 0.5, 1.0], "RAVE": [0.5, 0.0, 0.5, 0.0]}
    (some,) = (row for row in summarize("quick", results(strong)) if "closes" in row.label)
    assert str(some.measured).startswith("implicit minimax (0.88); ")
    assert some.why == "UCT scores 0.12"


def test_a_pair_of_the_gap_is_a_game_with_each_colour() -> None:
    run = experiment("king-gap").run
    unit = {"variant": "MCTS-Solver", "kind": "simulations", "amount": 2, "depth": 1, "pair": 0}
    assert run(unit) == run(unit)
    assert run(unit)["score"] in (0, 0.25, 0.5, 0.75, 1)
