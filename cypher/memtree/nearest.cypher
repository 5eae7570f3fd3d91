// Nodes of the tree over episodes nearest to a question, of every depth, with what is above each.
//
// mode:    read
// param:   group          STRING          whose memory
// param:   hierarchy      STRING          uuid of the root
// param:   vector         VECTOR          the question
// param:   visible_until  ZONED DATETIME  episodes of then or earlier
// param:   since          ZONED DATETIME  episodes from then on; the distant past for any
// param:   until          ZONED DATETIME  episodes before then
// param:   sessions       LIST<STRING>    lowest and highest session_key
// param:   speakers       LIST<STRING>    lowest and highest speaker_key
// param:   limit          INTEGER         most episodes, and most categories, 1 to 1000
// returns: category       BOOLEAN         else it is an episode
// returns: properties     MAP             without the vector
// returns: cosine         FLOAT           to the question
// returns: above          LIST<STRING>    uuids of the categories above it
CYPHER 25
CALL () {
  MATCH (node:Category)
  SEARCH node IN (
    VECTOR INDEX category_embedding FOR $vector
    WHERE node.group = $group AND node.hierarchy = $hierarchy
    LIMIT $limit
  ) SCORE AS score
  RETURN node, score
  UNION ALL
  MATCH (node:Episode)
  SEARCH node IN (
    VECTOR INDEX episode_embedding FOR $vector
    WHERE node.group = $group
      AND node.session_key >= $sessions[0] AND node.session_key <= $sessions[1]
      AND node.speaker_key >= $speakers[0] AND node.speaker_key <= $speakers[1]
      AND node.occurred_key >= $since AND node.occurred_key < $until
      AND node.visible_from <= $visible_until
    LIMIT $limit
  ) SCORE AS score
  WITH node, score
  WHERE EXISTS { (node)<-[:CONTAINS]-() }
  RETURN node, score
}
CALL (node) {
  MATCH (node)<-[:CONTAINS]-+(upper:Category)
  RETURN collect(upper.uuid) AS above
}
RETURN node:Category AS category, node {.*, embedding: NULL} AS properties, 2.0 * score - 1.0 AS cosine, above
ORDER BY cosine DESC, node.uuid
