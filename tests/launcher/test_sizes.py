import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.config import ServerSettings
from mnemo.launcher.sizes import Sizes, machine_mb, sizes


@pytest.mark.parametrize(
    ("total_mb", "heap_mb", "page_cache_mb"),
    [(1_024, 384, 128), (8_192, 1_024, 1_024), (24_576, 3_072, 3_072), (524_288, 4_096, 8_192)],
)
def test_memory_depends_on_the_machine(total_mb: int, heap_mb: int, page_cache_mb: int) -> None:
    assert sizes(ServerSettings(), total_mb) == Sizes(heap_mb=heap_mb, page_cache_mb=page_cache_mb)


def test_settings_override_the_machine() -> None:
    assert sizes(ServerSettings(heap_mb=256, page_cache_mb=64), 24_576) == Sizes(heap_mb=256, page_cache_mb=64)


@given(st.integers(min_value=1_024, max_value=10_000_000))
def test_server_uses_at_most_half_of_the_memory(total_mb: int) -> None:
    found = sizes(ServerSettings(), total_mb)
    assert found.heap_mb + found.page_cache_mb <= total_mb // 2


def test_memory_of_this_machine_is_positive() -> None:
    assert machine_mb() > 256
