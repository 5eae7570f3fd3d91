// Place new entities in the current categories by similarity; entities that are in a category already are skipped.
//
// The vector index finds near layer-1 categories without reading the layers above, so the cost does not grow with the
// hierarchy. The category with the highest score wins:
// score = 4 * similarity + the sum of the similarities of its members among the 5 nearest entities,
// where similarity = cosine - `least` of the root.
// Above 20,000 entities only the first term counts: categories are narrow by then, and searching the entities gets
// slower as the group grows. If even the nearest category is below `least`, the entity gets a new category
// beside it. Speakers go to `Speaker`. Categories marked `unseen` are skipped.
//
// mode:    write
// param:   group       STRING        group to write
// param:   uuids       LIST<STRING>  entities to place
// param:   candidates  INTEGER       categories, and entities, requested from each index
// returns: entity      STRING        uuid; one row per placed entity
// returns: category    STRING        uuid of its category
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
OPTIONAL CALL (root, entity) {
  CALL (root, entity) {
    MATCH (category:Category)
    SEARCH category IN (
      VECTOR INDEX category_embedding FOR entity.embedding
      WHERE category.group = $group AND category.hierarchy = root.uuid AND category.layer = 1
      LIMIT $candidates
    ) SCORE AS score
    WITH root, category, 2.0 * score - 1.0 AS cosine
    RETURN category, cosine, 4.0 * (cosine - coalesce(root.least, 0.0)) AS score_part
    UNION ALL
    WITH root, entity
    WHERE coalesce(root.inserts, 0) <= 20000
    MATCH (other:Entity)
    SEARCH other IN (
      VECTOR INDEX entity_embedding FOR entity.embedding
      WHERE other.group = $group
      LIMIT $candidates
    ) SCORE AS score
    WHERE EXISTS { MATCH (other)<-[:CONTAINS]-(held:Category) WHERE held.hierarchy = root.uuid }
    WITH root, other, 2.0 * score - 1.0 - coalesce(root.least, 0.0) AS similarity
    ORDER BY similarity DESC, other.uuid
    LIMIT 5
    MATCH (other)<-[:CONTAINS]-(category:Category)
    WHERE category.hierarchy = root.uuid AND similarity > 0
    RETURN category, null AS cosine, similarity AS score_part
  }
  WITH category, max(cosine) AS cosine, sum(score_part) AS total
  WHERE category.speaker IS NULL AND category.unseen IS NULL
  WITH category, cosine
  ORDER BY total DESC, category.uuid
  WITH collect(category)[0] AS nearest, max(cosine) AS closest
  RETURN nearest, closest
}
CALL (root) {
  OPTIONAL MATCH (speakers:Category {uuid: root.speakers})
  WHERE speakers.group = $group
  RETURN speakers
}
WITH root, entity, CASE WHEN entity.speaker AND speakers IS NOT NULL THEN speakers ELSE nearest END AS near,
     entity.speaker AND speakers IS NOT NULL OR coalesce(closest, 1.0) >= coalesce(root.least, -1.0) AS fits
WHERE near IS NOT NULL
CALL (root, entity, near, fits) {
  WITH near
  WHERE fits
  RETURN near AS home
  UNION ALL
  WITH root, entity, near
  WHERE NOT fits
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
MERGE (home)-[link:CONTAINS]->(entity)
SET link.position = 1000000
WITH root, entity, home
SET root.inserts = coalesce(root.inserts, 0) + 1
WITH entity, home
CALL (home) {
  MATCH (home) (()<-[:CONTAINS]-(:Category))* (above:Category)
  WITH DISTINCT above
  SET above.leaves = coalesce(above.leaves, 0) + 1, above.placed = coalesce(above.placed, 0) + 1
}
RETURN entity.uuid AS entity, home.uuid AS category
