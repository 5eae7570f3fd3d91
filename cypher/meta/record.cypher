// Record that migrations were applied.
//
// mode:    write
// param:   migrations  LIST<MAP>  number from 1, name of the file, checksum chained over this and all earlier ones
CYPHER 25
UNWIND $migrations AS applied
MERGE (migration:Migration {number: applied.number})
ON CREATE SET migration.name = applied.name, migration.checksum = applied.checksum, migration.applied_at = datetime()
