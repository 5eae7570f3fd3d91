// Number of episodes of a group in each state.
//
// mode:    read
// param:   group   STRING   whose memory
// returns: status  STRING   pending, done or failed
// returns: number  INTEGER
CYPHER 25
MATCH (episode:Episode {group: $group})
RETURN episode.status AS status, count(*) AS number
ORDER BY status
