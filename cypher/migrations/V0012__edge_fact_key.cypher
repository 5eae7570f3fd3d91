// A fact is stored once: fact_key hashes subject, relation, object or words, and beginning; never null.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT edge_fact_key IF NOT EXISTS
FOR (node:Edge) REQUIRE (node.group, node.fact_key) IS UNIQUE
