// The memtree nodes nearest to a question at any depth, with the categories above each.
//
// mode:    read
// param:   group          STRING          group to read
// param:   hierarchy      STRING          uuid of the root
// param:   vector         VECTOR          embedding of the question
// param:   visible_until  ZONED DATETIME  episodes visible by then
// param:   since          ZONED DATETIME  episodes from then on; the distant past for all
// param:   until          ZONED DATETIME  episodes before then
// param:   sessions       LIST<STRING>    lowest and highest session_key allowed
// param:   speakers       LIST<STRING>    lowest and highest speaker_key allowed
// param:   limit          INTEGER         most episodes, and most categories, 1 to 1000
// returns: category       BOOLEAN         whether it is a category, else an episode
// returns: properties     MAP             properties without the embedding
// returns: cosine         FLOAT           similarity to the question
// returns: above          LIST<STRING>    all categories above it
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
  MATCH (node)<-[:CONTAINS]-+(ancestor:Category)
  RETURN collect(ancestor.uuid) AS above
}
RETURN node:Category AS category, node {.*, embedding: NULL} AS properties, 2.0 * score - 1.0 AS cosine, above
ORDER BY cosine DESC, node.uuid
