// One page of a group's episodes in the order of their arrival.
//
// mode:    read
// param:   group    STRING        group to read
// param:   status   STRING        pending, done or failed, or null for all
// param:   session  STRING        session, or null for all
// param:   after    INTEGER       sequence of the last episode on the previous page, or -1
// param:   limit    INTEGER       most rows
// returns: total    INTEGER       number of episodes on all pages
// returns: items    LIST<MAP>     properties without the embedding, in order
CYPHER 25
CALL () {
  MATCH (episode:Episode {group: $group})
  WHERE ($status IS NULL OR episode.status = $status) AND ($session IS NULL OR episode.session = $session)
  RETURN count(episode) AS total
}
CALL () {
  MATCH (episode:Episode {group: $group})
  WHERE episode.sequence > $after
    AND ($status IS NULL OR episode.status = $status) AND ($session IS NULL OR episode.session = $session)
  WITH episode
  ORDER BY episode.sequence
  LIMIT $limit
  RETURN collect(episode {.*, embedding: NULL}) AS items
}
RETURN total, items
