// Delete episodes and what rested on them alone: facts that no other episode states, entities that none mentions.
//
// The chain of the session is joined again. An interval that only a deleted episode had closed or opened is
// as it was stated: one that it ENDS or BEGINS, or one that ends where a deleted fact of the same subject and
// relation, and no other, begins.
//
// mode:    write
// param:   group     STRING        whose memory
// param:   uuids     LIST<STRING>  of episodes
// returns: episodes  INTEGER       deleted
// returns: edges     INTEGER       deleted
// returns: entities  INTEGER       deleted
// returns: touched   LIST<STRING>  uuids of entities that stay and that one of them mentioned
// returns: holders   LIST<STRING>  uuids of categories that held a deleted node
CYPHER 25
CALL () {
  UNWIND $uuids AS uuid
  MATCH (episode:Episode {uuid: uuid})
  WHERE episode.group = $group
  RETURN collect(episode) AS gone
}
CALL (gone) {
  UNWIND gone AS episode
  MATCH (episode)-[:STATES]->(edge:Edge {group: $group})
  WITH DISTINCT edge, gone
  WHERE NOT EXISTS { MATCH (edge)<-[:STATES]-(other:Episode) WHERE NOT other IN gone }
  RETURN collect(edge) AS facts
}
CALL (gone, facts) {
  UNWIND gone AS episode
  MATCH (episode)-[ended:ENDS|BEGINS]->(edge:Edge {group: $group})
  WHERE NOT edge IN facts
  DELETE ended
  WITH DISTINCT edge
  OPTIONAL MATCH (edge)<-[left:ENDS]-(:Episode)
  WITH edge, min(left.valid_to) AS ends
  OPTIONAL MATCH (edge)<-[left:BEGINS]-(:Episode)
  WITH edge, ends, max(left.valid_from) AS begins
  SET edge.valid_to = CASE
        WHEN ends IS NULL THEN coalesce(edge.stated_to, edge.valid_to)
        WHEN edge.stated_to IS NOT NULL AND edge.stated_to < ends THEN edge.stated_to
        ELSE ends END,
      edge.valid_from = coalesce(begins, edge.stated_from, edge.valid_from)
}
CALL (facts) {
  UNWIND facts AS fact
  MATCH (edge:Edge {group: $group, subject: fact.subject, relation: fact.relation})
  WHERE edge.valid_to = fact.valid_from AND NOT edge IN facts AND NOT EXISTS { (edge)<-[:ENDS]-(:Episode) }
    AND NOT EXISTS {
      MATCH (next:Edge {group: $group, subject: fact.subject, relation: fact.relation})
      WHERE next.valid_from = fact.valid_from AND NOT next IN facts
    }
  SET edge.valid_to = coalesce(edge.stated_to, datetime('9999-12-31T00:00:00Z'))
}
CALL (gone, facts) {
  UNWIND gone + facts AS node
  MATCH (node)-[:MENTIONS|SUBJECT|OBJECT]->(entity:Entity {group: $group})
  WITH DISTINCT entity, gone, facts
  WHERE NOT EXISTS { MATCH (entity)<-[:MENTIONS]-(other:Episode) WHERE NOT other IN gone }
    AND NOT EXISTS { MATCH (entity)<-[:SUBJECT|OBJECT]-(other:Edge) WHERE NOT other IN facts }
  RETURN collect(entity) AS alone
}
CALL (gone, alone) {
  UNWIND gone + alone AS node
  MATCH (node)<-[:CONTAINS]-(category:Category {group: $group})
  RETURN collect(DISTINCT category.uuid) AS holders
}
CALL (gone, alone) {
  UNWIND gone AS episode
  MATCH (episode)-[:MENTIONS]->(entity:Entity {group: $group})
  WHERE NOT entity IN alone
  RETURN collect(DISTINCT entity.uuid) AS touched
}
CALL (gone) {
  UNWIND gone AS episode
  MATCH (first:Episode {group: $group})-[:NEXT]->(episode)
  WHERE NOT first IN gone
  MATCH (first) (()-[:NEXT]->(inner WHERE inner IN gone))+ ()-[:NEXT]->(last:Episode {group: $group})
  WHERE NOT last IN gone
  MERGE (first)-[:NEXT]->(last)
}
WITH gone, facts, alone, touched, holders, size(gone) AS episodes, size(facts) AS edges, size(alone) AS entities
FOREACH (node IN gone + facts + alone | DETACH DELETE node)
RETURN episodes, edges, entities, touched, holders
