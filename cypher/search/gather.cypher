// All that the indexes of a group hold for a question, with what stands beside it, in one round trip.
//
// Facts and entities come from their vector and full-text indexes. Episodes come from theirs, from the
// facts that were found (their sources), and from up to two steps along NEXT from any of these. With a time,
// an entity, and a fact of which it is not known when it began, count from the first message that tells of it.
// Similarity is exact for all that is returned. Order is left to the caller; nothing is returned twice.
// Moments are microseconds since 1970: the driver takes 50 microseconds to read a datetime, and about a
// thousand of them come with a search; what a person wrote there of another type comes as it is.
// Properties are read all at once: each one read by itself goes along the node's chain of properties anew.
//
// mode:    read
// rows:    plain
// param:   group          STRING          whose memory
// param:   bare           VECTOR          the question without the names of those asked about
// param:   whole          VECTOR          the whole question
// param:   texts          MAP             full-text queries: episodes, entities, edges
// param:   text           STRING          the question in lower case, to find names of speakers in
// param:   as_of          ZONED DATETIME  facts that had not ended, and were not retired, by then
// param:   begun_by       ZONED DATETIME  facts that began by then; the distant future also for those to come
// param:   visible_until  ZONED DATETIME  episodes of then or earlier
// param:   since          ZONED DATETIME  episodes from then on; the distant past for any
// param:   until          ZONED DATETIME  episodes before then
// param:   sessions       LIST<STRING>    lowest and highest session_key
// param:   speakers       LIST<STRING>    lowest and highest speaker_key
// param:   narrow         BOOLEAN         whether sessions, speakers or times leave anything out; else the index skips them
// param:   named          BOOLEAN         whether bare and whole differ; else an episode's whole is null
// param:   limit          INTEGER         most hits of each index, 1 to 1000
// param:   item_limit     INTEGER         most facts and entities of each index; more if a time may leave some out
// param:   timed          BOOLEAN         whether anything may have been written only after visible_until
// param:   scan           INTEGER         most hits of full text before the filters of time
// returns: episodes       LIST<MAP>       properties, and bare, whole (cosines or null), words (BM25 or 0), fits (passes the filters)
// returns: entities       LIST<MAP>       properties, and bare, whole, words, sources (uuids of at most 10 episodes, oldest first)
// returns: edges          LIST<MAP>       properties, and bare, whole, words, sources (the same), subject_name
// returns: people         LIST<MAP>       name and aliases of speakers that the text names
CYPHER 25
CALL () {
  CALL () {
    MATCH (edge:Edge)
    SEARCH edge IN (
      VECTOR INDEX edge_embedding FOR $whole
      WHERE edge.group = $group AND edge.valid_from <= $begun_by AND edge.valid_to > $as_of AND edge.retired_at > $as_of
      LIMIT $item_limit
    )
    RETURN edge, 0.0 AS words
    UNION ALL
    CALL db.index.fulltext.queryNodes('edge_text', $texts.edges, {limit: $scan}) YIELD node AS edge, score AS words
    WHERE edge.group = $group AND edge.valid_from <= $begun_by AND edge.valid_to > $as_of AND edge.retired_at > $as_of
    RETURN edge, words
    LIMIT $item_limit
  }
  WITH edge, max(words) AS words
  WHERE NOT $timed OR edge.valid_from > datetime('0001-01-02T00:00:00Z') OR EXISTS {
    MATCH (edge)<-[:STATES]-(said:Episode) WHERE said.visible_from <= $visible_until
  }
  RETURN collect({edge: edge, words: words}) AS found_edges
}
CALL () {
  CALL () {
    MATCH (entity:Entity)
    SEARCH entity IN (VECTOR INDEX entity_embedding FOR $whole WHERE entity.group = $group LIMIT $item_limit)
    RETURN entity, 0.0 AS words
    UNION ALL
    CALL db.index.fulltext.queryNodes('entity_text', $texts.entities, {limit: $item_limit}) YIELD node AS entity, score AS words
    WHERE entity.group = $group
    RETURN entity, words
  }
  WITH entity, max(words) AS words
  WHERE NOT $timed OR EXISTS { MATCH (entity)<-[:MENTIONS]-(said:Episode) WHERE said.visible_from <= $visible_until }
  RETURN collect({entity: entity, words: words}) AS found_entities
}
CALL (found_edges) {
  CALL (found_edges) {
    UNWIND CASE WHEN $narrow THEN [] ELSE [0] END AS once
    CALL (once) {
      MATCH (episode:Episode)
      SEARCH episode IN (VECTOR INDEX episode_embedding FOR $bare WHERE episode.group = $group LIMIT $limit)
      RETURN episode
    }
    RETURN episode, 0.0 AS words
    UNION ALL
    UNWIND CASE WHEN $narrow THEN [0] ELSE [] END AS once
    CALL (once) {
      MATCH (episode:Episode)
      SEARCH episode IN (
        VECTOR INDEX episode_embedding FOR $bare
        WHERE episode.group = $group
          AND episode.session_key >= $sessions[0] AND episode.session_key <= $sessions[1]
          AND episode.speaker_key >= $speakers[0] AND episode.speaker_key <= $speakers[1]
          AND episode.occurred_key >= $since AND episode.occurred_key < $until
          AND episode.visible_from <= $visible_until
        LIMIT $limit
      )
      RETURN episode
    }
    RETURN episode, 0.0 AS words
    UNION ALL
    CALL db.index.fulltext.queryNodes('episode_text', $texts.episodes, {limit: $scan}) YIELD node AS episode, score AS words
    WHERE episode.group = $group
      AND episode.session_key >= $sessions[0] AND episode.session_key <= $sessions[1]
      AND episode.speaker_key >= $speakers[0] AND episode.speaker_key <= $speakers[1]
      AND episode.occurred_key >= $since AND episode.occurred_key < $until
      AND episode.visible_from <= $visible_until
    RETURN episode, words
    LIMIT $limit
    UNION ALL
    UNWIND found_edges AS found
    WITH found.edge AS edge
    MATCH (edge)<-[:STATES]-(episode:Episode)
    WHERE episode.group = $group
    RETURN episode, 0.0 AS words
    LIMIT $limit
  }
  WITH episode AS hit, max(words) AS hit_words
  MATCH (hit)-[:NEXT*0..2]-(episode:Episode)
  WITH episode, max(CASE WHEN episode = hit THEN hit_words ELSE 0.0 END) AS words
  WITH properties(episode) AS episode, words
  WHERE episode.group = $group AND episode.visible_from <= $visible_until
  RETURN collect(episode {
    .uuid, .content, .role, .speaker, .session, .position, .zone, .source, .source_id,
    .content_hash, .status, .reason, .attempts, .metadata,
    occurred_at: CASE
      WHEN episode.occurred_at IS :: ZONED DATETIME NOT NULL
        THEN episode.occurred_at.epochSeconds * 1000000 + episode.occurred_at.microsecond
      ELSE episode.occurred_at
    END,
    recorded_at: CASE
      WHEN episode.recorded_at IS :: ZONED DATETIME NOT NULL
        THEN episode.recorded_at.epochSeconds * 1000000 + episode.recorded_at.microsecond
      ELSE episode.recorded_at
    END,
    bare: vector.similarity.cosine(episode.embedding, $bare),
    whole: CASE WHEN $named THEN vector.similarity.cosine(episode.embedding, $whole) END,
    words: words,
    fits: NOT $narrow OR (episode.session_key >= $sessions[0] AND episode.session_key <= $sessions[1]
      AND episode.speaker_key >= $speakers[0] AND episode.speaker_key <= $speakers[1]
      AND episode.occurred_key >= $since AND episode.occurred_key < $until)
  }) AS episodes
}
CALL (found_entities) {
  UNWIND found_entities AS found
  WITH found.entity AS entity, found.words AS words
  RETURN collect(entity {
    .uuid, .name, .summary, .tags, .aliases, .speaker,
    whole: vector.similarity.cosine(entity.embedding, $whole),
    words: words,
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
CALL (found_edges) {
  UNWIND found_edges AS found
  WITH found.edge AS node, properties(found.edge) AS edge, found.words AS words
  RETURN collect(edge {
    .uuid, .fact, .relation, .subject, .object, .when, .precision, .zone, .certain, .event, .event_end, .recurs,
    valid_from: CASE
      WHEN edge.valid_from IS :: ZONED DATETIME NOT NULL
        THEN edge.valid_from.epochSeconds * 1000000 + edge.valid_from.microsecond
      ELSE edge.valid_from
    END,
    valid_to: CASE
      WHEN edge.valid_to IS :: ZONED DATETIME NOT NULL
        THEN edge.valid_to.epochSeconds * 1000000 + edge.valid_to.microsecond
      ELSE edge.valid_to
    END,
    recorded_at: CASE
      WHEN edge.recorded_at IS :: ZONED DATETIME NOT NULL
        THEN edge.recorded_at.epochSeconds * 1000000 + edge.recorded_at.microsecond
      ELSE edge.recorded_at
    END,
    retired_at: CASE
      WHEN edge.retired_at IS :: ZONED DATETIME NOT NULL
        THEN edge.retired_at.epochSeconds * 1000000 + edge.retired_at.microsecond
      ELSE edge.retired_at
    END,
    whole: vector.similarity.cosine(edge.embedding, $whole),
    words: words,
    subject_name: head(COLLECT { MATCH (node)-[:SUBJECT]->(subject:Entity) RETURN subject.name }),
    sources: COLLECT {
      MATCH (node)<-[:STATES]-(episode:Episode)
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
RETURN episodes, entities, edges, people
