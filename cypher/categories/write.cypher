// Write categories and relationships of a generation that is not current yet; running it twice changes nothing.
//
// mode:    write
// param:   group       STRING     group being built
// param:   hierarchy   STRING     uuid of the root
// param:   model       STRING     model that made the vectors
// param:   categories  LIST<MAP>  uuid, properties, vector
// param:   tops        LIST<MAP>  child (uuid of a category), position under the root
// param:   nested      LIST<MAP>  parent, child (uuids of categories), position
// param:   leaves      LIST<MAP>  parent (uuid of a category), child (uuid of an entity), position
// returns: written     INTEGER    categories written
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
  MERGE (root)-[link:CONTAINS]->(child)
  SET link.position = row.position
}
CALL (root) {
  UNWIND $nested AS row
  MATCH (parent:Category {uuid: row.parent})
  MATCH (child:Category {uuid: row.child})
  WHERE parent.group = $group AND child.group = $group
  MERGE (parent)-[link:CONTAINS]->(child)
  SET link.position = row.position
}
CALL (root) {
  UNWIND $leaves AS row
  MATCH (parent:Category {uuid: row.parent})
  MATCH (child:Entity {uuid: row.child})
  WHERE parent.group = $group AND child.group = $group
  MERGE (parent)-[link:CONTAINS]->(child)
  SET link.position = row.position
}
RETURN written
