// Release the schema lock; no effect if another process holds it.
//
// mode:    write
// param:   owner  STRING  id of the process that holds the lock
CYPHER 25
MATCH (meta:Meta {id: 'mnemo'})
WHERE meta.owner = $owner
REMOVE meta.owner, meta.until
