// The options at one layer of the categories, each once.
//
// Without parents these are the top layer of the current generation; with parents, their children. With a vector the
// nearest come first; without, they come in the hierarchy's order. Nodes that no episode mentioned by
// `visible_until` are left out.
//
// mode:    read
// param:   group          STRING          whose memory
// param:   hierarchy      STRING          uuid of the generation that a walk is in, or the empty string
// param:   parents        LIST<STRING>    uuids of chosen categories; empty for the top
// param:   vector         VECTOR          unit length, or null
// param:   visible_until  ZONED DATETIME  episodes of then or earlier
// param:   limit          INTEGER         most rows
// returns: hierarchy      STRING          uuid of the generation
// returns: uuid           STRING
// returns: name           STRING
// returns: tags           LIST<STRING>
// returns: layer          INTEGER         0 for an entity
// returns: leaves         INTEGER         entities under it, 1 for an entity
// returns: parents        INTEGER         of the given ones, how many hold it; 1 at the top
// returns: cosine         FLOAT           to the vector, or null
CYPHER 25
CALL () {
  MATCH (root:Hierarchy {group: $group, kind: 'entities'})
  WHERE CASE WHEN $hierarchy = '' THEN root.current ELSE root.uuid = $hierarchy END
  RETURN root
  ORDER BY root.generation DESC
  LIMIT 1
}
CALL (root) {
  WITH root
  WHERE size($parents) = 0
  MATCH (root)-[tie:CONTAINS]->(child:Category)
  RETURN child, tie.position AS position
  UNION ALL
  UNWIND $parents AS uuid
  MATCH (parent:Category {uuid: uuid})
  WHERE parent.group = $group AND parent.hierarchy = root.uuid
  MATCH (parent)-[tie:CONTAINS]->(child:Category|Entity)
  RETURN child, tie.position AS position
}
WITH root, child, min(position) AS position, count(*) AS parents
WHERE $visible_until >= datetime('9999-12-31T00:00:00Z')
   OR EXISTS { MATCH (child)<-[:MENTIONS]-(seen:Episode) WHERE seen.visible_from <= $visible_until }
   OR EXISTS {
     MATCH (child)-[:CONTAINS]->+(:Entity)<-[:MENTIONS]-(seen:Episode) WHERE seen.visible_from <= $visible_until
   }
WITH root, child, position, parents,
     CASE WHEN $vector IS NULL OR child.embedding IS NULL THEN null
       ELSE 2.0 * vector.similarity.cosine(child.embedding, $vector) - 1.0 END AS cosine
ORDER BY coalesce(cosine, -2.0) DESC, child.layer DESC, position, child.uuid
LIMIT $limit
RETURN root.uuid AS hierarchy, child.uuid AS uuid, child.name AS name, coalesce(child.tags, []) AS tags,
       coalesce(child.layer, 0) AS layer, coalesce(child.leaves, 1) AS leaves, parents, cosine
ORDER BY coalesce(cosine, -2.0) DESC, layer DESC, position, uuid
