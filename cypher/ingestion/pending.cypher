// The next pending episodes of a group, and for each of their sessions the episodes just before them.
//
// mode:    read
// param:   group    STRING        whose memory
// param:   taken    LIST<STRING>  uuids to leave out
// param:   context  INTEGER       how many earlier positions to read
// param:   limit    INTEGER       most pending episodes
// returns: session  STRING
// returns: pending  LIST<MAP>     by position; sessions in the order in which their first one came
// returns: others   LIST<MAP>     those shortly before a pending one that are not in `pending`
// returns: length   INTEGER       episodes of the session in all
CYPHER 25
MATCH (episode:Episode {group: $group, status: 'pending'})
WHERE episode.sequence >= 0 AND NOT episode.uuid IN $taken
WITH episode
ORDER BY episode.sequence
LIMIT $limit
WITH episode.session AS session, collect(episode) AS found, min(episode.sequence) AS first
ORDER BY first
CALL (session, found) {
  UNWIND found AS episode
  MATCH (earlier:Episode {group: $group, session: session})
  WHERE earlier.position >= episode.position - $context AND earlier.position < episode.position
    AND NOT earlier IN found
  RETURN collect(DISTINCT earlier) AS earlier_ones
}
CALL (session) {
  MATCH (last:Episode {group: $group, session: session})
  WHERE last.position >= 0
  RETURN coalesce(last.position, 0) + 1 AS length
  ORDER BY last.position DESC
  LIMIT 1
}
RETURN session,
       [node IN found | node {.*, embedding: NULL}] AS pending,
       [node IN earlier_ones | node {.*, embedding: NULL}] AS others,
       length
ORDER BY first
