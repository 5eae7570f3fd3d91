// Delete episodes, facts that no other episode states, and entities that no other episode mentions.
//
// The NEXT chain of the session is closed again. A fact that a deleted fact ENDS is reopened up to its stated end, or
// up to the first of the other facts that end it. Windows being processed detect that something was forgotten.
//
// mode:    write
// param:   group     STRING        group to write
// param:   uuids     LIST<STRING>  episodes to delete
// returns: episodes  INTEGER       deleted
// returns: edges     INTEGER       deleted
// returns: entities  INTEGER       deleted
// returns: touched   LIST<STRING>  uuids of remaining entities that a deleted episode mentioned
// returns: holders   LIST<STRING>  uuids of categories that contained a deleted node
CYPHER 25
CALL () {
  MATCH (own:Group {group: $group})
  SET own.forgets = coalesce(own.forgets, 0) + 1
}
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
CALL (facts) {
  UNWIND facts AS fact
  MATCH (fact)-[:ENDS]->(edge:Edge {group: $group})
  WITH DISTINCT edge, facts
  WHERE NOT edge IN facts
  OPTIONAL MATCH (edge)<-[left:ENDS]-(other:Edge)
  WHERE NOT other IN facts
  WITH edge, coalesce(edge.stated_to, datetime('9999-12-31T00:00:00Z')) AS stated, min(left.valid_to) AS ends
  SET edge.valid_to = CASE WHEN ends IS NULL OR stated < ends THEN stated ELSE ends END
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
