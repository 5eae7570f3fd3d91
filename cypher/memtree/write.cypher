// Apply a change to a memtree if it is still at the revision that was read; otherwise nothing is written.
//
// mode:    write
// param:   group       STRING        group to write
// param:   hierarchy   STRING        uuid of the root
// param:   revision    INTEGER       revision that was read
// param:   model       STRING        model that made the vectors
// param:   categories  LIST<MAP>     uuid, properties, vector (null keeps the old one); created if missing
// param:   nested      LIST<MAP>     child (uuid of a category), parent (uuid of a category, null for the root), position
// param:   leaves      LIST<MAP>     child (uuid of an episode), parent, position
// param:   gone        LIST<STRING>  categories to delete
// param:   detached    LIST<STRING>  episodes to take out
// param:   lifted      LIST<MAP>     uuid and new layer of moved categories; the categories below follow
// param:   calls       INTEGER       LLM requests to add to the root's count
// param:   inserts     INTEGER       episodes inserted
// returns: revision    INTEGER       the new revision; no row if the memtree has changed, or an episode of `leaves` no longer exists
CYPHER 25
MATCH (root:Hierarchy {uuid: $hierarchy})
WHERE root.group = $group
SET root.locked = true
REMOVE root.locked
WITH root
CALL () {
  UNWIND $leaves AS row
  MATCH (episode:Episode {uuid: row.child})
  WHERE episode.group = $group
  RETURN count(episode) AS there
}
WITH root, there
WHERE root.revision = $revision AND there = size($leaves)
SET root.revision = $revision + 1, root.calls = root.calls + $calls, root.inserts = root.inserts + $inserts
WITH root
CALL (root) {
  UNWIND $categories AS row
  MERGE (category:Category {uuid: row.uuid})
  ON CREATE SET category.group = $group, category.hierarchy = $hierarchy
  SET category += row.properties
  WITH category, row
  WHERE row.vector IS NOT NULL
  SET category.embedding_model = $model
  WITH category, row
  CALL db.create.setNodeVectorProperty(category, 'embedding', row.vector)
}
CALL (root) {
  UNWIND $nested AS row
  MATCH (child:Category {uuid: row.child, group: $group})
  OPTIONAL MATCH (child)<-[old:CONTAINS]-()
  DELETE old
  WITH DISTINCT child, row
  OPTIONAL MATCH (above:Category {uuid: row.parent, group: $group})
  WITH child, row, coalesce(above, root) AS parent
  CREATE (parent)-[:CONTAINS {position: row.position}]->(child)
}
CALL (root) {
  UNWIND $leaves AS row
  MATCH (child:Episode {uuid: row.child, group: $group})
  OPTIONAL MATCH (child)<-[old:CONTAINS]-()
  DELETE old
  WITH DISTINCT child, row
  OPTIONAL MATCH (above:Category {uuid: row.parent, group: $group})
  WITH child, row, coalesce(above, root) AS parent
  CREATE (parent)-[:CONTAINS {position: row.position}]->(child)
  REMOVE child.leafless
}
CALL (root) {
  UNWIND $detached AS uuid
  MATCH (episode:Episode {uuid: uuid})<-[old:CONTAINS]-()
  WHERE episode.group = $group
  DELETE old
}
CALL (root) {
  UNWIND $gone AS uuid
  MATCH (category:Category {uuid: uuid})
  WHERE category.group = $group
  DETACH DELETE category
}
CALL (root) {
  UNWIND $lifted AS row
  MATCH path = (top:Category {uuid: row.uuid, group: $group})-[:CONTAINS]->*(below:Category)
  SET below.layer = row.layer + length(path)
}
RETURN root.revision AS revision
