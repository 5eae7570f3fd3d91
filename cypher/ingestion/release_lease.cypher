// Give back the right to process a group; nothing happens when another has it.
//
// mode:    write
// param:   group   STRING  whose memory
// param:   owner   STRING  who has it
CYPHER 25
MATCH (lease:Group {group: $group})
WHERE lease.lease_owner = $owner
REMOVE lease.lease_owner, lease.lease_until
