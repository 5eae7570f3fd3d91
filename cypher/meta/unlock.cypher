// Give back the right to change the schema; nothing happens when another has it.
//
// mode:    write
// param:   owner  STRING  who has it
CYPHER 25
MATCH (meta:Meta {id: 'mnemo'})
WHERE meta.owner = $owner
REMOVE meta.owner, meta.until
