// Applied migrations and embedding model of this database; always one row.
//
// mode:    read
// returns: numbers     LIST<INTEGER>  numbers of the applied migrations, ascending
// returns: checksums   LIST<STRING>   their checksums, in the same order
// returns: model       STRING         model that embedded the memory, or null
// returns: dimensions  INTEGER        dimensions of its vectors, or null
// returns: status      STRING         ready or reembedding, or null
CYPHER 25
OPTIONAL MATCH (migration:Migration)
WITH migration
ORDER BY migration.number
WITH collect(migration.number) AS numbers, collect(migration.checksum) AS checksums
OPTIONAL MATCH (meta:Meta {id: 'mnemo'})
RETURN numbers, checksums, meta.embedding_model AS model, meta.dimensions AS dimensions, meta.status AS status
