// Status of some episodes of a group.
//
// mode:    read
// param:   group   STRING        whose memory
// param:   uuids   LIST<STRING>
// returns: uuid    STRING
// returns: status  STRING        pending, done or failed
// returns: reason  STRING        why it failed, or null
CYPHER 25
UNWIND $uuids AS uuid
MATCH (episode:Episode {uuid: uuid})
WHERE episode.group = $group
RETURN episode.uuid AS uuid, episode.status AS status, episode.reason AS reason
