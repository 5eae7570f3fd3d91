// Releases the lease on a group; does nothing if another process holds it.
//
// mode:    write
// param:   group   STRING  whose memory
// param:   owner   STRING  who has it
CYPHER 25
MATCH (lease:Group {group: $group})
WHERE lease.lease_owner = $owner
REMOVE lease.lease_owner, lease.lease_until
