// Writes the entities and facts of a window and the status of its episodes, if the lease on the group is still held.
//
// Idempotent. Nothing is written if something of the group was forgotten since the window was resolved, or if one
// of its episodes was deleted: entities and facts may be gone too.
//
// mode:    write
// param:   group     STRING     whose memory
// param:   owner     STRING     who has the lease
// param:   seconds   INTEGER    how long the lease lasts from now on
// param:   forgets   INTEGER    how often something had been forgotten when the window was settled; -1 for any
// param:   uuids     LIST<STRING>  of the window's episodes, no uuid twice
// param:   entities  LIST<MAP>  key, created (properties of a new one), aliases, alias_tokens, tags, summary, speaker, search_terms, episodes, vector or null
// param:   edges     LIST<MAP>  uuid, subject, object or null, properties, vector
// param:   links     LIST<MAP>  episode, edge, quote, start, end, said_at
// param:   changes   LIST<MAP>  edge, properties: known facts that now begin or end
// param:   endings   LIST<MAP>  by, edge, valid_to: a fact that rules another one out from then on
// param:   done      LIST<MAP>  uuid, vector, reason (why the fallback extractor read it, or null)
// param:   failed    LIST<MAP>  uuid, reason
// param:   model     STRING     that made the vectors
// returns: written   INTEGER    episodes that were pending until now; no row when nothing was written
CYPHER 25
MATCH (lease:Group {group: $group})
SET lease.locked = true
REMOVE lease.locked
WITH lease
WHERE lease.lease_owner = $owner AND $forgets IN [-1, coalesce(lease.forgets, 0)]
  AND COUNT {
    UNWIND $uuids AS uuid
    MATCH (episode:Episode {uuid: uuid})
    WHERE episode.group = $group
    RETURN episode
  } = size($uuids)
SET lease.lease_until = datetime() + duration({seconds: $seconds})
WITH lease
CALL (lease) {
  UNWIND $entities AS row
  MERGE (entity:Entity {group: $group, name_key: row.key})
  ON CREATE SET entity += row.created
  SET entity.aliases = entity.aliases + [alias IN row.aliases WHERE NOT alias IN entity.aliases],
      entity.alias_tokens = entity.alias_tokens + [token IN row.alias_tokens WHERE NOT token IN entity.alias_tokens],
      entity.tags = (entity.tags + [tag IN row.tags WHERE NOT tag IN entity.tags])[..5],
      entity.summary = CASE WHEN row.summary = '' THEN entity.summary ELSE row.summary END,
      entity.speaker = entity.speaker OR row.speaker
  CALL (entity, row) {
    WITH entity, row
    WHERE row.vector IS NOT NULL
    SET entity.embedding_model = $model
    WITH entity, row
    CALL db.create.setNodeVectorProperty(entity, 'embedding', row.vector)
  }
  WITH entity, row
  UNWIND row.episodes AS uuid
  MATCH (episode:Episode {uuid: uuid})
  WHERE episode.group = $group
  MERGE (episode)-[:MENTIONS]->(entity)
}
CALL (lease) {
  UNWIND $edges AS row
  MERGE (edge:Edge {uuid: row.uuid})
  ON CREATE SET edge += row.properties, edge.embedding_model = $model
  WITH edge, row
  MATCH (subject:Entity {uuid: row.subject, group: $group})
  MERGE (edge)-[:SUBJECT]->(subject)
  WITH edge, row
  CALL db.create.setNodeVectorProperty(edge, 'embedding', row.vector)
  WITH edge, row
  WHERE row.object IS NOT NULL
  MATCH (object:Entity {uuid: row.object, group: $group})
  MERGE (edge)-[:OBJECT]->(object)
}
CALL (lease) {
  UNWIND $links AS row
  MATCH (episode:Episode {uuid: row.episode})
  MATCH (edge:Edge {uuid: row.edge})
  WHERE episode.group = $group AND edge.group = $group
  MERGE (episode)-[states:STATES {start: row.start, end: row.end}]->(edge)
  SET states.quote = row.quote,
      edge.said_at = CASE WHEN row.said_at < edge.said_at THEN row.said_at ELSE edge.said_at END
}
CALL (lease) {
  UNWIND $changes AS row
  MATCH (edge:Edge {uuid: row.edge})
  WHERE edge.group = $group
  SET edge += row.properties
}
CALL (lease) {
  UNWIND $endings AS row
  MATCH (edge:Edge {uuid: row.edge})
  MATCH (by:Edge {uuid: row.by})
  WHERE edge.group = $group AND by.group = $group
  MERGE (by)-[ends:ENDS]->(edge)
  SET ends.valid_to = row.valid_to
}
CALL (lease) {
  UNWIND $failed AS row
  MATCH (episode:Episode {uuid: row.uuid})
  WHERE episode.group = $group AND episode.status = 'pending'
  SET episode.status = 'failed', episode.reason = row.reason, episode.attempts = episode.attempts + 1
  RETURN count(episode) AS refused
}
CALL (lease) {
  UNWIND $done AS row
  MATCH (episode:Episode {uuid: row.uuid})
  WHERE episode.group = $group AND episode.status = 'pending'
  SET episode.status = 'done', episode.attempts = episode.attempts + 1, episode.embedding_model = $model,
      episode.leafless = true, episode.reason = row.reason
  WITH episode, row
  CALL db.create.setNodeVectorProperty(episode, 'embedding', row.vector)
  RETURN count(episode) AS finished
}
RETURN refused + finished AS written
