// Inconsistencies in a group, such as facts that no episode states; no rows if there are none.
//
// mode:    read
// param:   group   STRING   group to check
// returns: kind    STRING   kind of inconsistency
// returns: number  INTEGER  affected nodes or relationships, at least 1
CYPHER 25
CALL () {
  MATCH (edge:Edge {group: $group})
  WHERE NOT EXISTS { (edge)<-[:STATES]-(:Episode) }
  RETURN 'fact without an episode that states it' AS kind, count(edge) AS number
  UNION ALL
  MATCH (edge:Edge {group: $group})
  WHERE NOT EXISTS { (edge)-[:SUBJECT]->(:Entity) }
  RETURN 'fact without a subject' AS kind, count(edge) AS number
  UNION ALL
  MATCH (edge:Edge {group: $group})
  WHERE edge.object IS NOT NULL AND NOT EXISTS { (edge)-[:OBJECT]->(:Entity) }
  RETURN 'fact without its object' AS kind, count(edge) AS number
  UNION ALL
  MATCH (entity:Entity {group: $group})
  WHERE NOT EXISTS { (entity)<-[:MENTIONS]-(:Episode) } AND NOT EXISTS { (entity)<-[:SUBJECT|OBJECT]-(:Edge) }
  RETURN 'entity that nothing mentions' AS kind, count(entity) AS number
  UNION ALL
  MATCH (category:Category {group: $group})
  WHERE NOT EXISTS { (category)-[:CONTAINS]->() }
  RETURN 'category that holds nothing' AS kind, count(category) AS number
  UNION ALL
  MATCH (category:Category {group: $group})
  WHERE NOT EXISTS { (category)<-[:CONTAINS]-() }
  RETURN 'category outside any hierarchy' AS kind, count(category) AS number
  UNION ALL
  MATCH (episode:Episode {group: $group, status: 'done'})
  WHERE episode.embedding IS NULL
  RETURN 'processed episode without an embedding' AS kind, count(episode) AS number
  UNION ALL
  MATCH (node:Episode|Entity|Edge|Category {group: $group})-[tie]-(other)
  WHERE other.group <> $group
  RETURN 'tie to another group' AS kind, count(DISTINCT tie) AS number
}
WITH kind, number
WHERE number > 0
RETURN kind, number
ORDER BY kind
