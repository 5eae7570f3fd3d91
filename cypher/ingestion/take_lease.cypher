// Takes or extends the lease on a group, by the database's clock.
//
// mode:    write
// param:   group    STRING   whose memory
// param:   owner    STRING   who asks
// param:   stale    STRING   an owner known to be dead, or the empty string
// param:   seconds  INTEGER  how long the right lasts, unless kept
// returns: owner    STRING   who has the right now
CYPHER 25
MERGE (lease:Group {group: $group})
SET lease.locked = true
WITH lease, lease.lease_owner IS NULL OR lease.lease_owner IN [$owner, $stale] OR lease.lease_until <= datetime() AS free
SET lease.lease_owner = CASE WHEN free THEN $owner ELSE lease.lease_owner END,
    lease.lease_until = CASE WHEN free THEN datetime() + duration({seconds: $seconds}) ELSE lease.lease_until END
REMOVE lease.locked
RETURN lease.lease_owner AS owner
