// Create synthetic memory: for each row a fact, the episode that states it and the entity it is about.
//
// mode:    write
// param:   rows    LIST<MAP>  group, group_key, number, uuid, text, subject, session, session_key, speaker_key, at, vector
// param:   past    ZONED DATETIME  sentinel for an unknown start
// param:   future  ZONED DATETIME  sentinel for an open end
// returns: number  INTEGER    rows written
CYPHER 25
UNWIND $rows AS row
MERGE (entity:Entity {group: row.group, name_key: toLower(row.subject)})
ON CREATE SET entity.uuid = randomUUID(), entity.name = row.subject, entity.group_key = row.group_key,
  entity.summary = '', entity.tags = [], entity.aliases = [], entity.speaker = false, entity.search_terms = ''
CREATE (edge:Edge {
  uuid: row.uuid, group: row.group, group_key: row.group_key, fact: row.text, relation: 'did', search_terms: '',
  subject: entity.uuid, valid_from: $past, valid_to: $future, retired_at: $future, recorded_at: row.at,
  precision: 'unknown', fact_key: row.uuid
})-[:SUBJECT]->(entity)
CREATE (episode:Episode {
  uuid: row.uuid + '-e', group: row.group, group_key: row.group_key, content: row.text, role: 'user', speaker: null,
  session: row.session, session_key: row.session_key, speaker_key: row.speaker_key, position: row.number % 20,
  sequence: row.number, occurred_at: row.at, occurred_key: row.at, visible_from: row.at, zone: 'UTC',
  source_id: row.uuid, content_hash: '', recorded_at: row.at, status: 'done', attempts: 1, metadata: '{}', search_terms: ''
})-[:STATES {quote: row.text, start: 0, end: size(row.text)}]->(edge)
CREATE (episode)-[:MENTIONS]->(entity)
WITH row, edge, episode
CALL db.create.setNodeVectorProperty(edge, 'embedding', row.vector)
CALL db.create.setNodeVectorProperty(episode, 'embedding', row.vector)
RETURN count(*) AS number
