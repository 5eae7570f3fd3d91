// The holder of a group's lease, and which of some episodes still exist.
//
// mode:    read
// param:   group   STRING        whose memory
// param:   uuids   LIST<STRING>  of episodes
// returns: owner   STRING        who has the lease, or null; null too when all of the group was forgotten
// returns: left    LIST<STRING>  uuids of those that are there
CYPHER 25
CALL () {
  OPTIONAL MATCH (lease:Group {group: $group})
  RETURN lease.lease_owner AS owner
}
CALL () {
  UNWIND $uuids AS uuid
  MATCH (episode:Episode {uuid: uuid})
  WHERE episode.group = $group
  RETURN collect(uuid) AS left
}
RETURN owner, left
