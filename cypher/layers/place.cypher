// Place new entities in the current hierarchy, top-down by similarity; those that it holds already are left.
//
// Layer by layer the nearest categories are kept and their children compared (layers are at most six); an entity
// goes into the nearest one of layer 1, or, where even that one is too far, into a category of its own beside it.
// A speaker goes to `Speaker`.
//
// mode:    write
// param:   group     STRING        whose memory
// param:   uuids     LIST<STRING>  of entities
// param:   beam      INTEGER       categories kept at each layer, at least 1
// returns: entity    STRING        uuid; a row for each that was placed
// returns: category  STRING        uuid of where it went
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: 'entities'})
WHERE root.current
WITH root
ORDER BY root.generation DESC
LIMIT 1
UNWIND $uuids AS uuid
MATCH (entity:Entity {uuid: uuid})
WHERE entity.group = $group AND entity.embedding IS NOT NULL
  AND NOT EXISTS { MATCH (entity)<-[:CONTAINS]-(held:Category) WHERE held.hierarchy = root.uuid }
CALL (root, entity) {
  MATCH (root)-[:CONTAINS]->(category:Category)
  WHERE category.embedding IS NOT NULL
  WITH entity, category
  ORDER BY vector.similarity.cosine(category.embedding, entity.embedding) DESC, category.uuid
  LIMIT $beam
  RETURN collect(category) AS first
}
CALL (entity, first) {
  UNWIND first AS node
  OPTIONAL MATCH (node)-[:CONTAINS]->(below:Category)
  WITH DISTINCT entity, coalesce(below, node) AS category
  WHERE category.speaker IS NULL
  ORDER BY vector.similarity.cosine(category.embedding, entity.embedding) DESC, category.uuid
  LIMIT $beam
  RETURN collect(category) AS second
}
CALL (entity, second) {
  UNWIND second AS node
  OPTIONAL MATCH (node)-[:CONTAINS]->(below:Category)
  WITH DISTINCT entity, coalesce(below, node) AS category
  WHERE category.speaker IS NULL
  ORDER BY vector.similarity.cosine(category.embedding, entity.embedding) DESC, category.uuid
  LIMIT $beam
  RETURN collect(category) AS third
}
CALL (entity, third) {
  UNWIND third AS node
  OPTIONAL MATCH (node)-[:CONTAINS]->(below:Category)
  WITH DISTINCT entity, coalesce(below, node) AS category
  WHERE category.speaker IS NULL
  ORDER BY vector.similarity.cosine(category.embedding, entity.embedding) DESC, category.uuid
  LIMIT $beam
  RETURN collect(category) AS fourth
}
CALL (entity, fourth) {
  UNWIND fourth AS node
  OPTIONAL MATCH (node)-[:CONTAINS]->(below:Category)
  WITH DISTINCT entity, coalesce(below, node) AS category
  WHERE category.speaker IS NULL
  ORDER BY vector.similarity.cosine(category.embedding, entity.embedding) DESC, category.uuid
  LIMIT $beam
  RETURN collect(category) AS fifth
}
CALL (entity, fifth) {
  UNWIND fifth AS node
  OPTIONAL MATCH (node)-[:CONTAINS]->(below:Category)
  WITH DISTINCT entity, coalesce(below, node) AS category
  WHERE category.speaker IS NULL
  ORDER BY vector.similarity.cosine(category.embedding, entity.embedding) DESC, category.uuid
  LIMIT $beam
  RETURN collect(category) AS sixth
}
CALL (root) {
  OPTIONAL MATCH (speakers:Category {uuid: root.speakers})
  WHERE speakers.group = $group
  RETURN speakers
}
WITH root, entity, CASE WHEN entity.speaker AND speakers IS NOT NULL THEN speakers ELSE sixth[0] END AS near,
     entity.speaker AND speakers IS NOT NULL AS speaks
WHERE near IS NOT NULL
CALL (root, entity, near, speaks) {
  WITH root, entity, near
  WHERE speaks OR 2.0 * vector.similarity.cosine(near.embedding, entity.embedding) - 1.0 >= coalesce(root.least, -1.0)
  RETURN near AS home
  UNION ALL
  WITH root, entity, near
  WHERE NOT speaks AND 2.0 * vector.similarity.cosine(near.embedding, entity.embedding) - 1.0 < coalesce(root.least, -1.0)
  MATCH (near)<-[:CONTAINS]-(parent:Category|Hierarchy)
  WHERE parent.uuid = root.uuid OR parent.hierarchy = root.uuid
  WITH root, entity, parent
  ORDER BY parent.uuid
  LIMIT 1
  CREATE (parent)-[:CONTAINS {position: 1000000}]->(home:Category {
    uuid: randomUUID(), group: $group, hierarchy: root.uuid, name: entity.name, tags: entity.tags, layer: 1, leaves: 0,
    placed: 0, promoted: true, content: entity.name, embedding_model: entity.embedding_model
  })
  WITH home, entity
  CALL db.create.setNodeVectorProperty(home, 'embedding', entity.embedding)
  RETURN home
}
MERGE (home)-[tie:CONTAINS]->(entity)
SET tie.position = 1000000
WITH root, entity, home
SET root.inserts = coalesce(root.inserts, 0) + 1
WITH entity, home
CALL (home) {
  MATCH (home) (()<-[:CONTAINS]-(:Category))* (above:Category)
  WITH DISTINCT above
  SET above.leaves = coalesce(above.leaves, 0) + 1, above.placed = coalesce(above.placed, 0) + 1
}
RETURN entity.uuid AS entity, home.uuid AS category
