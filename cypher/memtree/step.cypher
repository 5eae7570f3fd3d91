// The child of one memtree node that is nearest to a vector: one level of a route.
//
// mode:    read
// param:   group          STRING   group to read
// param:   parent         STRING   uuid of the root or a category
// param:   vector         VECTOR   unit length
// param:   tie            FLOAT    cosines this near to the highest count as equal
// returns: revision       INTEGER  revision of the root; null for a category
// returns: candidates     INTEGER  children compared
// returns: next_position  INTEGER  position after the last child
// returns: uuid           STRING   the nearest child, the first by position on a tie; this and the columns below are null without children
// returns: kind           STRING   category or leaf
// returns: cosine         FLOAT
// returns: position       INTEGER
// returns: leaves         INTEGER
// returns: content        STRING
// returns: speaker        STRING
CYPHER 25
CALL () {
  MATCH (node:Hierarchy {uuid: $parent})
  WHERE node.group = $group
  RETURN node
  UNION ALL
  MATCH (node:Category {uuid: $parent})
  WHERE node.group = $group
  RETURN node
}
CALL (node) {
  OPTIONAL MATCH (node)-[tie:CONTAINS]->(child:Category|Episode)
  WITH child, tie.position AS position,
       CASE WHEN size(child.embedding) = vector_dimension_count($vector)
         THEN 2.0 * vector.similarity.cosine(child.embedding, $vector) - 1.0 ELSE -1.0 END AS cosine
  ORDER BY position
  WITH collect({child: child, position: position, cosine: cosine}) AS found, max(position) AS last,
       count(child) AS candidates, max(cosine) AS highest
  RETURN head([item IN found WHERE item.cosine >= highest - $tie]) AS best,
         coalesce(last + 1, 0) AS next_position, candidates
}
WITH node, candidates, next_position, best, best.child AS child
RETURN node.revision AS revision, candidates, next_position, child.uuid AS uuid,
       CASE WHEN child IS NULL THEN null WHEN child:Episode THEN 'leaf' ELSE 'category' END AS kind,
       best.cosine AS cosine, best.position AS position, coalesce(child.leaves, 1) AS leaves,
       child.content AS content, child.speaker AS speaker
