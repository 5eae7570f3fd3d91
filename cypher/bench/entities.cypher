// Create synthetic entities, each with an episode that mentions it, for benchmarks.
//
// mode:    write
// param:   group    STRING     group to write
// param:   model    STRING     embedding model to record
// param:   rows     LIST<MAP>  uuid, name, vector, episode (uuid of its episode)
// returns: written  INTEGER
CYPHER 25
UNWIND $rows AS row
CREATE (entity:Entity {
  uuid: row.uuid, group: $group, name: row.name, name_key: row.name, summary: '', tags: [], aliases: [],
  speaker: false, group_key: '0', embedding_model: $model
})
CREATE (episode:Episode {
  uuid: row.episode, group: $group, content: row.name, role: 'user', session: 's', position: 0, source_id: row.name,
  status: 'done', session_key: '0', speaker_key: '0', sequence: 0, embedding_model: $model,
  occurred_key: datetime('2024-01-01T00:00:00Z'), visible_from: datetime('2024-01-01T00:00:00Z'),
  recorded_at: datetime('2024-01-01T00:00:00Z')
})
CREATE (episode)-[:MENTIONS]->(entity)
WITH entity, episode, row
CALL db.create.setNodeVectorProperty(entity, 'embedding', row.vector)
CALL db.create.setNodeVectorProperty(episode, 'embedding', row.vector)
RETURN count(entity) AS written
