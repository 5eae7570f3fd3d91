// Stores messages as pending episodes at the end of their sessions; episodes already stored stay unchanged.
//
// One writer per group at a time: the group's counter is locked first, so that positions have no gaps or duplicates.
// The time of recording never goes back within a group, whatever the clock does: it orders messages of unknown time.
//
// mode:    write
// param:   group       STRING     whose memory
// param:   rows        LIST<MAP>  in order, no source_id twice: source_id, session, properties
// returns: source_ids  LIST<STRING>  of the episodes that were not there before
CYPHER 25
MERGE (counter:Group {group: $group})
SET counter.locked = true
WITH counter, coalesce(counter.sequence, 0) AS start,
     reduce(newest = counter.recorded_at + duration({microseconds: 1}), row IN $rows |
       CASE WHEN newest > row.properties.recorded_at THEN newest ELSE row.properties.recorded_at END) AS recorded
CALL (counter) {
  UNWIND $rows AS row
  OPTIONAL MATCH (known:Episode {group: $group, source_id: row.source_id})
  WITH row, known
  WHERE known IS NULL
  RETURN collect(row) AS fresh
}
CALL (start, fresh, recorded) {
  UNWIND range(0, size(fresh) - 1) AS number
  WITH fresh[number] AS row, start + number AS sequence
  WITH row.session AS session, collect({properties: row.properties, sequence: sequence}) AS items
  CALL (session) {
    OPTIONAL MATCH (last:Episode {group: $group, session: session})
    WHERE last.position >= 0
    RETURN last
    ORDER BY last.position DESC
    LIMIT 1
  }
  CALL (last, items, recorded) {
    UNWIND range(0, size(items) - 1) AS step
    CREATE (episode:Episode)
    SET episode = items[step].properties,
        episode.sequence = items[step].sequence,
        episode.position = coalesce(last.position + 1, 0) + step,
        episode.recorded_at = recorded
    RETURN collect(episode) AS created
  }
  WITH [node IN [last] + created WHERE node IS NOT NULL] AS chain
  UNWIND range(0, size(chain) - 2) AS link
  WITH chain[link] AS earlier, chain[link + 1] AS later
  CREATE (earlier)-[:NEXT]->(later)
}
SET counter.sequence = start + size(fresh), counter.recorded_at = recorded
REMOVE counter.locked
RETURN [row IN fresh | row.source_id] AS source_ids
