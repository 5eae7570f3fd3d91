from hypothesis import given
from hypothesis import strategies as st

from mnemo.ingestion.windows import plan_windows, window_width
from support.builders import episode


def test_session_is_split_evenly_into_the_fewest_windows() -> None:
    pending = [episode(str(n), n) for n in range(22)]
    windows = plan_windows(pending, [], {"s": 22}, size=20, context=4)
    assert [len(window.episodes) for window in windows] == [11, 11]
    assert [item.position for item in windows[1].context] == [7, 8, 9, 10]
    assert windows[0].context == ()


def test_window_never_spans_sessions() -> None:
    pending = [episode("a", 0, session="s"), episode("b", 0, session="t")]
    windows = plan_windows(pending, [], {"s": 1, "t": 1}, size=20, context=4)
    assert [window.episodes[0].session for window in windows] == ["s", "t"]
    assert windows[1].context == ()


def test_resumed_run_uses_the_same_windows() -> None:
    every = [episode(str(n), n) for n in range(50)]
    whole = plan_windows(every, [], {"s": 50}, size=20, context=4)
    rest = plan_windows(every[17:], every[:17], {"s": 50}, size=20, context=4)
    assert rest == whole[1:]


def test_retried_episodes_get_the_context_before_them() -> None:
    every = [episode(str(n), n) for n in range(10)]
    (window,) = plan_windows([every[5]], [*every[:5], *every[6:]], {"s": 10}, size=20, context=2)
    assert window.episodes == (every[5],)
    assert window.context == (every[3], every[4])


def test_context_size_zero_gives_no_context() -> None:
    every = [episode(str(n), n) for n in range(3)]
    assert [window.context for window in plan_windows(every, [], {"s": 3}, size=1, context=0)] == [(), (), ()]


@given(st.integers(1, 300), st.integers(1, 50), st.integers(0, 6))
def test_each_pending_episode_is_in_one_window_of_at_most_the_size(length: int, size: int, context: int) -> None:
    pending = [episode(str(n), n) for n in range(length)]
    windows = plan_windows(pending, [], {"s": length}, size=size, context=context)
    assert [item for window in windows for item in window.episodes] == pending
    assert max(len(window.episodes) for window in windows) <= size
    assert len(windows) == -(-length // size)
    assert window_width(length, size) <= size
