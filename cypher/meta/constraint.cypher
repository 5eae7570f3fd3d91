// There is only one Meta node; migrations use it as their lock.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT meta_id IF NOT EXISTS
FOR (meta:Meta) REQUIRE meta.id IS UNIQUE
