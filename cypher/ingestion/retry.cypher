// Sets the failed episodes of a group to pending again.
//
// mode:    write
// param:   group   STRING   whose memory
// returns: number  INTEGER  how many there were
CYPHER 25
MATCH (episode:Episode {group: $group, status: 'failed'})
SET episode.status = 'pending'
REMOVE episode.reason
RETURN count(episode) AS number
