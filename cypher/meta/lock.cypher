// Take the right to change the schema, or keep it for longer: by the database's clock.
//
// mode:    write
// param:   owner    STRING   who asks
// param:   seconds  INTEGER  how long the right lasts, unless kept
// returns: owner    STRING   who has the right now
CYPHER 25
MERGE (meta:Meta {id: 'mnemo'})
SET meta.locked = true
WITH meta, meta.owner IS NULL OR meta.owner = $owner OR meta.until <= datetime() AS free
SET meta.owner = CASE WHEN free THEN $owner ELSE meta.owner END,
    meta.until = CASE WHEN free THEN datetime() + duration({seconds: $seconds}) ELSE meta.until END
REMOVE meta.locked
RETURN meta.owner AS owner
