"""Contents of a group as text without uuids and recording times, to compare two runs."""

import json
from typing import Any

from neo4j import AsyncGraphDatabase

from mnemo.store.endpoint import Endpoint

__all__ = ["snapshot"]

_UNEQUAL = (
    "uuid group hierarchy group_key recorded_at created_at revision visible_from fact_key subject object embedding"
)
_LEFT_OUT = frozenset(_UNEQUAL.split())
_NODES = """
MATCH (node {group: $group}) WHERE NOT node:Group
RETURN elementId(node) AS id, labels(node)[0] AS label, properties(node) AS properties
"""
_LINKS = """
MATCH (a {group: $group})-[link]->(b {group: $group})
RETURN elementId(a) AS a, type(link) AS type, properties(link) AS properties, elementId(b) AS b
"""


async def snapshot(endpoint: Endpoint, group: str) -> list[str]:
    """Return one line per node and relationship, sorted."""
    auth = (endpoint.username, endpoint.password)
    async with AsyncGraphDatabase.driver(endpoint.uri, auth=auth) as driver:
        nodes = (await driver.execute_query(_NODES, group=group)).records
        links = (await driver.execute_query(_LINKS, group=group)).records
    names = {node["id"]: f"{node['label']} {_text(node['properties'])}" for node in nodes}
    lines = [f"{names[link['a']]} -{link['type']} {_text(link['properties'])}-> {names[link['b']]}" for link in links]
    return sorted([*names.values(), *lines])


def _text(properties: dict[str, Any]) -> str:
    kept = {name: value for name, value in properties.items() if name not in _LEFT_OUT}
    kept["vector"] = [round(value, 4) for value in properties.get("embedding") or ()][:8]
    return json.dumps(kept, default=str, ensure_ascii=False, sort_keys=True)
