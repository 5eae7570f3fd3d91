// Categories of a generation that is not current yet, with what holds and what is held; may be written twice.
//
// mode:    write
// param:   group       STRING     whose memory
// param:   hierarchy   STRING     uuid of the root
// param:   model       STRING     that made the vectors
// param:   categories  LIST<MAP>  uuid, properties, vector
// param:   tops        LIST<MAP>  child (uuid of a category) and position under the root
// param:   nested      LIST<MAP>  parent, child (uuids of categories), position
// param:   leaves      LIST<MAP>  parent (uuid of a category), child (uuid of an entity), position
// returns: written     INTEGER    categories
CYPHER 25
MATCH (root:Hierarchy {uuid: $hierarchy})
WHERE root.group = $group
CALL (root) {
  UNWIND $categories AS row
  MERGE (category:Category {uuid: row.uuid})
  ON CREATE SET category.group = $group, category.hierarchy = $hierarchy
  SET category += row.properties, category.embedding_model = $model
  WITH category, row
  CALL db.create.setNodeVectorProperty(category, 'embedding', row.vector)
  RETURN count(category) AS written
}
CALL (root) {
  UNWIND $tops AS row
  MATCH (child:Category {uuid: row.child})
  WHERE child.group = $group
  MERGE (root)-[tie:CONTAINS]->(child)
  SET tie.position = row.position
}
CALL (root) {
  UNWIND $nested AS row
  MATCH (parent:Category {uuid: row.parent})
  MATCH (child:Category {uuid: row.child})
  WHERE parent.group = $group AND child.group = $group
  MERGE (parent)-[tie:CONTAINS]->(child)
  SET tie.position = row.position
}
CALL (root) {
  UNWIND $leaves AS row
  MATCH (parent:Category {uuid: row.parent})
  MATCH (child:Entity {uuid: row.child})
  WHERE parent.group = $group AND child.group = $group
  MERGE (parent)-[tie:CONTAINS]->(child)
  SET tie.position = row.position
}
RETURN written
