// Create processed episodes that are not in the memtree yet, for benchmarks.
//
// mode:    write
// param:   group   STRING     group to write
// param:   rows    LIST<MAP>  uuid, content, sequence, vector
// returns: number  INTEGER    episodes created
CYPHER 25
UNWIND $rows AS row
CREATE (episode:Episode {
  uuid: row.uuid, group: $group, content: row.content, role: 'user', session: 'bench', source_id: row.uuid,
  position: row.sequence, sequence: row.sequence, status: 'done', leafless: true, recorded_at: datetime()
})
WITH episode, row
CALL db.create.setNodeVectorProperty(episode, 'embedding', row.vector)
RETURN count(episode) AS number
