// The episodes, facts and neighbours of chosen entities, as nodes and relationships: for procedures and people.
//
// With `visible_until`, a fact with an unknown start counts from the first message that states it.
//
// mode:    read
// param:   group          STRING              whose memory
// param:   entities       LIST<STRING>        uuids
// param:   as_of          ZONED DATETIME      facts that had not ended, and were not retired, by then
// param:   begun_by       ZONED DATETIME      facts that began by then; the distant future also for those to come
// param:   visible_until  ZONED DATETIME      episodes of then or earlier
// param:   limit          INTEGER             most episodes and most facts of an entity, the latest
// returns: kind           STRING              episode, fact or neighbour; each node once for each chosen entity
// returns: entity         NODE                the chosen one
// returns: node           NODE
// returns: ties           LIST<RELATIONSHIP>  that lead from one to the other
CYPHER 25
UNWIND $entities AS uuid
MATCH (entity:Entity {uuid: uuid})
WHERE entity.group = $group
CALL (entity) {
  MATCH (entity)<-[tie:MENTIONS]-(node:Episode)
  WHERE node.group = $group AND node.visible_from <= $visible_until
  RETURN 'episode' AS kind, node, [tie] AS ties, node.occurred_key AS moment
  ORDER BY moment DESC, node.uuid
  LIMIT $limit
  UNION ALL
  MATCH (entity)<-[tie:SUBJECT|OBJECT]-(node:Edge)
  WHERE node.group = $group AND node.valid_from <= $begun_by AND node.valid_to > $as_of AND node.retired_at > $as_of
    AND ($visible_until >= datetime('9999-12-31T00:00:00Z') OR node.valid_from > datetime('0001-01-02T00:00:00Z') OR EXISTS {
      MATCH (node)<-[:STATES]-(said:Episode) WHERE said.visible_from <= $visible_until
    })
  WITH node, collect(tie) AS ties
  RETURN 'fact' AS kind, node, ties, node.recorded_at AS moment
  ORDER BY moment DESC, node.uuid
  LIMIT $limit
  UNION ALL
  MATCH (entity)<-[one:SUBJECT|OBJECT]-(fact:Edge)-[other:SUBJECT|OBJECT]->(node:Entity)
  WHERE fact.group = $group AND fact.valid_from <= $begun_by AND fact.valid_to > $as_of AND fact.retired_at > $as_of
    AND node <> entity
    AND ($visible_until >= datetime('9999-12-31T00:00:00Z') OR fact.valid_from > datetime('0001-01-02T00:00:00Z') OR EXISTS {
      MATCH (fact)<-[:STATES]-(said:Episode) WHERE said.visible_from <= $visible_until
    })
  WITH node, collect(one) + collect(other) AS ties, max(fact.recorded_at) AS moment
  RETURN 'neighbour' AS kind, node, ties, moment
  ORDER BY moment DESC, node.uuid
  LIMIT $limit
}
RETURN kind, entity, node, ties
