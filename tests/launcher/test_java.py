import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from mnemo.config import Settings
from mnemo.errors import LauncherError
from mnemo.launcher.java import compile_sources, jar
from mnemo.launcher.plugin import build_id, neo4j_version, plugin_jar, server_jar
from mnemo.version import VERSION
from support.paths import ROOT


def test_jar_is_reproducible() -> None:
    made = jar({"b": b"2", "a": b"1"})
    assert made == jar({"a": b"1", "b": b"2"})
    with zipfile.ZipFile(BytesIO(made)) as archive:
        assert archive.namelist() == ["META-INF/MANIFEST.MF", "a", "b"]


def test_compile_error_names_the_place(tmp_path: Path) -> None:
    source = tmp_path / "Broken.java"
    source.write_text("class Broken { int x = ; }")
    with pytest.raises(LauncherError, match=r"Broken\.java"):
        compile_sources([source], [], tmp_path / "out", Settings().cache_dir)


def test_plugin_contains_classes_statements_and_its_build_fingerprint() -> None:
    with zipfile.ZipFile(plugin_jar(Settings().cache_dir)) as archive:
        names = set(archive.namelist())
        assert {"mnemo/meta/Version.class", "mnemo/query/Statements.class"} <= names
        assert {"mnemo/cypher/meta/plugin.cypher", "mnemo/cypher/search/gather.cypher"} <= names
        assert archive.read("mnemo/version").decode() == VERSION
        assert archive.read("mnemo/build").decode() == build_id()


def test_existing_build_is_reused() -> None:
    cache = Settings().cache_dir
    first = server_jar(cache)
    made = first.stat().st_mtime_ns
    assert server_jar(cache) == first
    assert first.stat().st_mtime_ns == made


def test_maven_uses_the_same_version_and_server() -> None:
    pom = (ROOT / "cypher" / "procedures" / "pom.xml").read_text()
    assert f"<version>{VERSION}</version>" in pom
    assert f"<neo4j.version>{neo4j_version()}</neo4j.version>" in pom
    dockerfile = (ROOT / "docker" / "Dockerfile").read_text()
    assert f"FROM neo4j:{neo4j_version()}-community" in dockerfile
