// Processed episodes that are not in the memtree yet, in the order of their arrival, with vectors.
//
// mode:    read
// param:   group    STRING        group to read
// param:   skipped  LIST<STRING>  uuids to skip
// param:   limit    INTEGER       most rows
// returns: uuid     STRING
// returns: content  STRING
// returns: speaker  STRING
// returns: vector   LIST<FLOAT>
CYPHER 25
MATCH (episode:Episode {group: $group, leafless: true})
WHERE episode.sequence >= 0 AND episode.embedding IS NOT NULL AND NOT episode.uuid IN $skipped
WITH episode
ORDER BY episode.sequence
LIMIT $limit
RETURN episode.uuid AS uuid, episode.content AS content, episode.speaker AS speaker, episode.embedding AS vector
ORDER BY episode.sequence
