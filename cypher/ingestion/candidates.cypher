// Entities that the mentions of a window may refer to, and facts that its facts may repeat or end.
//
// A mention whose key is that of an entity gets this entity only. Any other gets what the full-text index finds
// and, if it has a vector, the vector index. The facts have any of the candidates as subject, among them its plans,
// or are about one and have the words of a topic.
//
// mode:    read
// param:   group      STRING        whose memory
// param:   mentions   LIST<MAP>     key, text (a full-text query) and vector (or null)
// param:   single     LIST<STRING>  relations of which a subject has one at a time
// param:   paired     LIST<STRING>  relations that matter for one object only; * is any
// param:   topics     LIST<MAP>     words (a list): word beginnings that a fact must have to be fetched, lower case
// param:   vectors    LIST<VECTOR>  of new facts, to find near ones by; may be empty
// param:   limit      INTEGER       most candidates by text, and as many by vector
// returns: forgets    INTEGER       how often something of the group was forgotten
// returns: found      LIST<MAP>     place (index of a mention) and an entity's properties, similarity: cosine or 0
// returns: stored     LIST<MAP>     a fact's properties; similarity: cosine to the nearest vector, or 0
CYPHER 25
CALL () {
  OPTIONAL MATCH (own:Group {group: $group})
  RETURN coalesce(own.forgets, 0) AS forgets
}
CALL () {
  UNWIND range(0, size($mentions) - 1) AS place
  WITH place, $mentions[place] AS mention
  OPTIONAL MATCH (exact:Entity {group: $group, name_key: mention.key})
  CALL (mention, exact) {
    WITH exact
    WHERE exact IS NOT NULL
    RETURN exact AS entity, 0.0 AS similarity
    UNION ALL
    WITH mention.text AS text
    WHERE exact IS NULL
    CALL db.index.fulltext.queryNodes('entity_text', text, {limit: $limit}) YIELD node AS entity
    WHERE entity.group = $group
    RETURN entity, 0.0 AS similarity
    UNION ALL
    WITH mention.vector AS vector
    WHERE exact IS NULL AND vector IS NOT NULL
    MATCH (entity:Entity)
    SEARCH entity IN (VECTOR INDEX entity_embedding FOR vector WHERE entity.group = $group LIMIT $limit) SCORE AS score
    RETURN entity, 2.0 * score - 1.0 AS similarity
  }
  WITH place, entity, max(similarity) AS similarity
  RETURN collect(entity {
           place: place, .uuid, .name, .aliases, .summary, .tags, .speaker, similarity: similarity
         }) AS found,
         collect(DISTINCT entity.uuid) AS known
}
CALL () {
  UNWIND $vectors AS vector
  CALL (vector) {
    MATCH (edge:Edge)
    SEARCH edge IN (VECTOR INDEX edge_embedding FOR vector WHERE edge.group = $group LIMIT 5) SCORE AS score
    RETURN edge, score
  }
  WITH edge.uuid AS uuid, max(score) AS score
  RETURN collect({uuid: uuid, similarity: 2.0 * score - 1.0}) AS near
}
CALL (known, near) {
  CALL (known, near) {
    UNWIND known AS subject
    MATCH (edge:Edge {group: $group, subject: subject})
    WHERE edge.relation IS NOT NULL
      AND (edge.relation IN $single
        OR (edge.relation IN $paired AND (edge.object IS NULL OR edge.object IN known))
        OR ('*' IN $paired AND edge.object IN known)
        OR edge.relation STARTS WITH 'plans_to_'
        OR edge.uuid IN [each IN near | each.uuid]
        OR any(topic IN $topics WHERE all(word IN topic.words WHERE
          toLower(edge.fact) CONTAINS word OR edge.relation CONTAINS word)))
    RETURN edge
    UNION
    UNWIND CASE WHEN size($topics) > 0 THEN known ELSE [] END AS target
    MATCH (:Entity {group: $group, uuid: target})<-[:OBJECT]-(edge:Edge)
    WHERE any(topic IN $topics WHERE all(word IN topic.words WHERE
      toLower(edge.fact) CONTAINS word OR edge.relation CONTAINS word))
    RETURN edge
  }
  RETURN collect(edge {
    .uuid, .subject, .relation, .object, .fact, .valid_from, .valid_to, .said_at, .recurs,
    certain: coalesce(edge.certain, true), event: coalesce(edge.event, false),
    last_said_at: COLLECT {
      MATCH (episode:Episode)-[:STATES]->(edge)
      RETURN episode.visible_from AS said ORDER BY said DESC LIMIT 1
    }[0],
    similarity: coalesce([each IN near WHERE each.uuid = edge.uuid | each.similarity][0], 0.0)
  }) AS stored
}
RETURN forgets, found, stored
