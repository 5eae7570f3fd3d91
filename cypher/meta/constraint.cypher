// There is one Meta node, which the migrations lock.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT meta_id IF NOT EXISTS
FOR (meta:Meta) REQUIRE meta.id IS UNIQUE
