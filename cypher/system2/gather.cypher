// The evidence of chosen entities: their episodes, their facts in both directions, and the entities at the other ends.
//
// All entities under a category that was chosen whole are chosen too. Each item is returned once. Keys are those
// of search/gather, with `chosen`: uuids of the chosen entities that lead to it. With `visible_until`, a fact with an
// unknown start counts from the first message that states it.
//
// mode:    read
// param:   group          STRING          whose memory
// param:   entities       LIST<STRING>    uuids of chosen entities
// param:   categories     LIST<STRING>    uuids of categories chosen whole
// param:   bare           VECTOR          the question without the names of those asked about
// param:   whole          VECTOR          the whole question
// param:   text           STRING          the question in lower case, to find names of speakers in
// param:   as_of          ZONED DATETIME  facts that had not ended, and were not retired, by then
// param:   begun_by       ZONED DATETIME  facts that began by then; the distant future also for those to come
// param:   visible_until  ZONED DATETIME  episodes of then or earlier
// param:   since          ZONED DATETIME  episodes from then on; the distant past for any
// param:   until          ZONED DATETIME  episodes before then
// param:   sessions       LIST<STRING>    lowest and highest session_key
// param:   speakers       LIST<STRING>    lowest and highest speaker_key
// param:   nodes          INTEGER         most chosen entities
// param:   limit          INTEGER         most episodes and most facts, the nearest to the question
// returns: episodes       LIST<MAP>
// returns: entities       LIST<MAP>       chosen ones and neighbours, `chosen` is empty for these
// returns: edges          LIST<MAP>
// returns: people         LIST<MAP>       name and aliases of speakers that the text names
// returns: under          LIST<STRING>    uuids of all chosen entities
CYPHER 25
CALL () {
  CALL () {
    UNWIND $entities AS uuid
    MATCH (entity:Entity {uuid: uuid})
    WHERE entity.group = $group
    RETURN entity
    UNION
    UNWIND $categories AS uuid
    MATCH (category:Category {uuid: uuid})
    WHERE category.group = $group
    MATCH (category)-[:CONTAINS]->+(entity:Entity)
    RETURN entity
  }
  WITH DISTINCT entity
  ORDER BY vector.similarity.cosine(entity.embedding, $whole) DESC, entity.uuid
  LIMIT $nodes
  RETURN collect(entity) AS picked
}
CALL (picked) {
  UNWIND picked AS entity
  MATCH (edge:Edge)-[:SUBJECT|OBJECT]->(entity)
  WHERE edge.group = $group AND edge.valid_from <= $begun_by AND edge.valid_to > $as_of AND edge.retired_at > $as_of
    AND ($visible_until >= datetime('9999-12-31T00:00:00Z') OR edge.valid_from > datetime('0001-01-02T00:00:00Z') OR EXISTS {
      MATCH (edge)<-[:STATES]-(said:Episode) WHERE said.visible_from <= $visible_until
    })
  WITH edge, collect(DISTINCT entity.uuid) AS chosen
  ORDER BY vector.similarity.cosine(edge.embedding, $whole) DESC, edge.uuid
  LIMIT $limit
  RETURN collect({edge: edge, chosen: chosen}) AS facts
}
CALL (picked) {
  UNWIND picked AS entity
  MATCH (entity)<-[:MENTIONS]-(episode:Episode)
  WHERE episode.group = $group AND episode.visible_from <= $visible_until
  WITH episode, collect(DISTINCT entity.uuid) AS chosen
  ORDER BY vector.similarity.cosine(episode.embedding, $bare) DESC, episode.uuid
  LIMIT $limit
  RETURN collect(episode {
    .uuid, .content, .role, .speaker, .session, .position, .occurred_at, .zone, .source, .source_id,
    .content_hash, .recorded_at, .status, .reason, .attempts, .metadata,
    bare: vector.similarity.cosine(episode.embedding, $bare),
    whole: vector.similarity.cosine(episode.embedding, $whole),
    words: 0.0,
    chosen: chosen,
    fits: episode.session_key >= $sessions[0] AND episode.session_key <= $sessions[1]
      AND episode.speaker_key >= $speakers[0] AND episode.speaker_key <= $speakers[1]
      AND episode.occurred_key >= $since AND episode.occurred_key < $until
  }) AS episodes
}
CALL (picked, facts) {
  CALL (picked, facts) {
    UNWIND picked AS entity
    RETURN entity, [entity.uuid] AS chosen
    UNION ALL
    UNWIND facts AS fact
    WITH fact.edge AS edge, picked
    MATCH (edge)-[:SUBJECT|OBJECT]->(entity:Entity)
    WHERE entity.group = $group AND NOT entity IN picked
    RETURN DISTINCT entity, [] AS chosen
  }
  RETURN collect(entity {
    .uuid, .name, .summary, .tags, .aliases, .speaker,
    whole: vector.similarity.cosine(entity.embedding, $whole),
    words: 0.0,
    chosen: chosen,
    sources: COLLECT {
      MATCH (entity)<-[:MENTIONS]-(episode:Episode)
      WHERE episode.group = $group AND episode.visible_from <= $visible_until
      WITH episode
      LIMIT 100
      RETURN episode.uuid
      ORDER BY episode.occurred_key, episode.sequence
      LIMIT 10
    }
  }) AS entities
}
CALL (facts) {
  UNWIND facts AS fact
  WITH fact.edge AS edge, fact.chosen AS chosen
  RETURN collect(edge {
    .uuid, .fact, .relation, .subject, .object, .valid_from, .valid_to, .recorded_at, .retired_at, .when, .precision,
    .zone, .certain, .event, .event_end, .recurs,
    whole: vector.similarity.cosine(edge.embedding, $whole),
    words: 0.0,
    chosen: chosen,
    subject_name: head(COLLECT { MATCH (edge)-[:SUBJECT]->(subject:Entity) RETURN subject.name }),
    object_name: head(COLLECT { MATCH (edge)-[:OBJECT]->(object:Entity) RETURN object.name }),
    sources: COLLECT {
      MATCH (edge)<-[:STATES]-(episode:Episode)
      WHERE episode.group = $group AND episode.visible_from <= $visible_until
      RETURN episode.uuid
      ORDER BY episode.occurred_key, episode.sequence
      LIMIT 10
    }
  }) AS edges
}
CALL () {
  MATCH (entity:Entity {group: $group, speaker: true})
  WITH entity, [name IN [entity.name] + entity.aliases WHERE name IS :: STRING NOT NULL | toLower(name)] AS names
  WHERE any(name IN names WHERE name <> '' AND ($text CONTAINS name OR $text CONTAINS split(name, ' ')[0]))
  RETURN collect(entity {.name, .aliases}) AS people
}
RETURN episodes, entities, edges, people, [entity IN picked | entity.uuid] AS under
