// A message is stored once: its idempotency key is unique within a group.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT episode_source_id IF NOT EXISTS
FOR (node:Episode) REQUIRE (node.group, node.source_id) IS UNIQUE
