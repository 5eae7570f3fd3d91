// Record that a migration was applied.
//
// mode:    write
// param:   number    INTEGER  from 1
// param:   name      STRING   name of its file
// param:   checksum  STRING   chained checksum of this and all earlier migrations
CYPHER 25
MERGE (migration:Migration {number: $number})
ON CREATE SET migration.name = $name, migration.checksum = $checksum, migration.applied_at = datetime()
