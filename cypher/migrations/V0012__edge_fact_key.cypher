// A fact is stored once: fact_key is a hash of subject, relation, object or text, and start; never null.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT edge_fact_key IF NOT EXISTS
FOR (node:Edge) REQUIRE (node.group, node.fact_key) IS UNIQUE
