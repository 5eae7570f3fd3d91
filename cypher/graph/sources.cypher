// The episodes that state facts, with the quoted words.
//
// mode:    read
// param:   group    STRING        group to read
// param:   uuids    LIST<STRING>  facts
// returns: edge     STRING        uuid of a fact
// returns: episode  STRING        uuid of an episode that states it, oldest first for each fact
// returns: quote    STRING        the quoted words
// returns: start    INTEGER       offset of the quote in the episode, in characters
// returns: end      INTEGER       offset of the end of the quote, in characters
CYPHER 25
UNWIND $uuids AS uuid
MATCH (edge:Edge {uuid: uuid})<-[states:STATES]-(episode:Episode)
WHERE edge.group = $group AND episode.group = $group
WITH edge, episode, states
ORDER BY edge.uuid, episode.visible_from, episode.sequence, states.start
RETURN edge.uuid AS edge, episode.uuid AS episode, states.quote AS quote, states.start AS start, states.end AS end
