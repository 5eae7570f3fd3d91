"""Modules that are imported at their first use."""

import sys

from mnemo.lazy_import import lazy_module


def test_module_is_imported_when_an_attribute_is_first_read() -> None:
    sys.modules.pop("calendar", None)
    stand_in = lazy_module("calendar")
    assert "calendar" not in sys.modules
    assert stand_in.isleap(2024)
    assert "calendar" in sys.modules
