// Take or renew the schema lock; times are by the database's clock.
//
// mode:    write
// param:   owner    STRING   id of the process
// param:   seconds  INTEGER  how long the lock lasts unless renewed
// returns: owner    STRING   id of the process that holds the lock
CYPHER 25
MERGE (meta:Meta {id: 'mnemo'})
SET meta.locked = true
WITH meta, meta.owner IS NULL OR meta.owner = $owner OR meta.until <= datetime() AS free
SET meta.owner = CASE WHEN free THEN $owner ELSE meta.owner END,
    meta.until = CASE WHEN free THEN datetime() + duration({seconds: $seconds}) ELSE meta.until END
REMOVE meta.locked
RETURN meta.owner AS owner
