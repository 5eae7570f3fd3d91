#!/usr/bin/env python3
"""Measure recall and latency of the index options used in `cypher/migrations`.

    python scripts/bench/index_options.py text     # analyzers, on the pairs of fulltext_pairs.json
    python scripts/bench/index_options.py vectors  # quantisation, m and ef, 20,000 clustered vectors

Uses the server of `NEO4J_URI` or the local one; creates and drops temporary labels and indexes (`Bench...`).
The comment of each migration ends with a table of results.
"""

import argparse
import json
import statistics
import time
from collections.abc import Iterable
from pathlib import Path

import neo4j
import numpy as np

from mnemo.config import load_settings
from mnemo.models.group import text_key
from mnemo.store.endpoint import resolve_endpoint
from mnemo.store.lucene import search_terms, text_query

ANALYZERS = ("english", "standard", "standard-no-stop-words", "standard-folding", "cjk", "unicode_whitespace")
COUNT, DIMENSIONS, CLUSTERS, QUESTIONS, K = 20_000, 384, 50, 200, 20
NOISE = 0.5
VECTOR_OPTIONS = (
    {"vector.quantization.type": "BINARY"},
    {},
    {"vector.quantization.enabled": True, "vector.quantization.type": "SCALAR"},
    {"vector.quantization.enabled": False, "vector.hnsw.m": 16, "vector.hnsw.ef_construction": 100},
    {"vector.quantization.enabled": False, "vector.hnsw.m": 32, "vector.hnsw.ef_construction": 200},
    {"vector.quantization.enabled": False, "vector.hnsw.m": 8, "vector.hnsw.ef_construction": 64},
)


def main() -> None:
    """Run one of the two measurements and print its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("text", "vectors"))
    what = parser.parse_args().what
    endpoint = resolve_endpoint(load_settings())
    auth = (endpoint.username, endpoint.password)
    measure = measure_text if what == "text" else measure_vectors
    with (
        neo4j.GraphDatabase.driver(endpoint.uri, auth=auth, notifications_min_severity="OFF") as driver,
        driver.session(database=endpoint.database) as session,
    ):
        measure(session)


def measure_text(session: neo4j.Session) -> None:
    """Print the mean reciprocal rank by analyzer and language, with and without search_terms."""
    pairs = json.loads((Path(__file__).parent / "fulltext_pairs.json").read_text(encoding="utf-8"))
    documents = [document for language in pairs.values() for document, _ in language]
    print(f"{'analyzer':24}{'extra':7}" + "".join(f"{language:>10}" for language in pairs) + f"{'all':>8}")
    for analyzer in ANALYZERS:
        for extra in ("no", "yes"):
            index_documents(session, documents, analyzer, extra)
            ranks = {language: [rank(session, *pair) for pair in rows] for language, rows in pairs.items()}
            flat = [value for values in ranks.values() for value in values]
            cells = "".join(f"{statistics.mean(values):10.3f}" for values in ranks.values())
            print(f"{analyzer:24}{extra:7}{cells}{statistics.mean(flat):8.3f}", flush=True)
    clear(session, "BenchText", "bench_text")


def index_documents(session: neo4j.Session, documents: list[str], analyzer: str, extra: str) -> None:
    """Fill a new index with documents."""
    clear(session, "BenchText", "bench_text")
    rows = [
        {"content": text, "search_terms": search_terms(text) if extra == "yes" else "", "group_key": text_key("bench")}
        for text in documents
    ]
    session.run("UNWIND $rows AS row CREATE (n:BenchText) SET n = row", rows=rows).consume()
    session.run(
        "CREATE FULLTEXT INDEX bench_text FOR (n:BenchText) ON EACH [n.content, n.search_terms, n.group_key] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: $analyzer}}",
        analyzer=analyzer,
    ).consume()
    session.run("CALL db.awaitIndexes(60)").consume()


def rank(session: neo4j.Session, document: str, question: str) -> float:
    """Return 1 / rank of a document for its question; 0 beyond rank 10."""
    found = session.run(
        "CALL db.index.fulltext.queryNodes('bench_text', $text, {limit: 10}) YIELD node RETURN node.content AS content",
        text=text_query("bench", question, ["content"]),
    )
    contents = [row["content"] for row in found]
    return 1 / (contents.index(document) + 1) if document in contents else 0.0


def measure_vectors(session: neo4j.Session) -> None:
    """Print recall@20 against exact search and latency for each set of options."""
    random = np.random.default_rng(7)
    vectors, questions = clustered(random, COUNT), clustered(random, QUESTIONS)
    exact = np.argsort(-(questions @ vectors.T), axis=1, kind="stable")[:, :K]
    clear(session, "BenchVector", "bench_vector")
    for start in range(0, COUNT, 2000):
        rows = [{"id": start + at, "v": row.tolist()} for at, row in enumerate(vectors[start : start + 2000])]
        session.run(
            "UNWIND $rows AS row CREATE (n:BenchVector {id: row.id, group: 'g'}) "
            "WITH n, row CALL db.create.setNodeVectorProperty(n, 'embedding', row.v)",
            rows=rows,
        ).consume()
    for options in VECTOR_OPTIONS:
        build_s = vector_index(session, options)
        recall, times = search_all(session, questions, exact)
        shown = ", ".join(f"{key.removeprefix('vector.')}={value}" for key, value in options.items()) or "defaults"
        p50, p95 = np.percentile(times, [50, 95])
        print(
            f"{shown:75} recall@20 {recall:.3f}  p50 {p50:.1f} ms  p95 {p95:.1f} ms  built {build_s:.0f} s", flush=True
        )
    clear(session, "BenchVector", "bench_vector")


def clustered(random: np.random.Generator, count: int) -> np.ndarray:
    """Return unit vectors around `CLUSTERS` fixed centres."""
    centres = np.random.default_rng(1).standard_normal((CLUSTERS, DIMENSIONS))
    points = centres[random.integers(0, CLUSTERS, count)] + NOISE * random.standard_normal((count, DIMENSIONS))
    return (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)


def vector_index(session: neo4j.Session, options: dict[str, object]) -> float:
    """Create the index again and return the seconds until it is online."""
    session.run("DROP INDEX bench_vector IF EXISTS").consume()
    config = {"vector.dimensions": DIMENSIONS, "vector.similarity_function": "cosine", **options}
    start = time.perf_counter()
    session.run(
        "CYPHER 25 CREATE VECTOR INDEX bench_vector FOR (n:BenchVector) ON n.embedding WITH [n.group] OPTIONS $options",
        options={"indexConfig": config},
    ).consume()
    session.run("CALL db.awaitIndexes(600)").consume()
    return time.perf_counter() - start


def search_all(session: neo4j.Session, questions: np.ndarray, exact: np.ndarray) -> tuple[float, list[float]]:
    """Return mean recall@20 and the milliseconds of each search, after a warm-up."""
    statement = (
        "CYPHER 25 MATCH (n:BenchVector) SEARCH n IN (VECTOR INDEX bench_vector FOR $v WHERE n.group = 'g' LIMIT $k) "
        "RETURN n.id AS id"
    )
    recalls, times = [], []
    for at, question in enumerate([*questions[:20], *questions]):
        start = time.perf_counter()
        found = ids(session.run(statement, v=question.tolist(), k=K))
        times.append((time.perf_counter() - start) * 1000)
        recalls.append(len(found & set(exact[at - 20].tolist())) / K)
    return statistics.mean(recalls[20:]), times[20:]


def ids(rows: Iterable[neo4j.Record]) -> set[int]:
    """Return the ids of rows."""
    return {row["id"] for row in rows}


def clear(session: neo4j.Session, label: str, index: str) -> None:
    """Drop an index and the nodes that it indexed."""
    session.run(f"DROP INDEX {index} IF EXISTS").consume()
    session.run(f"MATCH (n:{label}) CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS OF 5000 ROWS").consume()


if __name__ == "__main__":
    main()
