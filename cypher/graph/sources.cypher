// The episodes that state some facts, and in which words.
//
// mode:    read
// param:   group    STRING        whose memory
// param:   uuids    LIST<STRING>  of facts
// returns: edge     STRING        uuid of a fact
// returns: episode  STRING        uuid of an episode that states it, oldest first for each fact
// returns: quote    STRING        its words
// returns: start    INTEGER       characters before them in the episode
// returns: end      INTEGER       characters up to their end
CYPHER 25
UNWIND $uuids AS uuid
MATCH (edge:Edge {uuid: uuid})<-[states:STATES]-(episode:Episode)
WHERE edge.group = $group AND episode.group = $group
WITH edge, episode, states
ORDER BY edge.uuid, episode.visible_from, episode.sequence, states.start
RETURN edge.uuid AS edge, episode.uuid AS episode, states.quote AS quote, states.start AS start, states.end AS end
