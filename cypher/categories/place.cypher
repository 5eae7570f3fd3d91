// Place new entities in the current hierarchy by similarity; those that it holds already are left.
//
// An entity goes where a walk from the top that keeps every branch would end, into a near category of layer 1. The
// vector index finds these without reading the layers above, so that it takes as long in a large hierarchy as in a small
// one. Of the near ones it is that which has most of four times its own nearness, and the nearness of those of the five
// nearest entities that it holds; nearness counts from `least` on. Past 20,000 entities its own nearness decides: the
// index of entities takes the longer the larger the group, and categories are narrow then. Where even the nearest
// category is too far, the entity goes into one of its own beside it. A speaker goes to `Speaker`. Categories that a
// refresh has written and not shown yet are passed over.
//
// mode:    write
// param:   group       STRING        whose memory
// param:   uuids       LIST<STRING>  of entities
// param:   candidates  INTEGER       categories, and entities, that an index gives; `Speaker` is passed over
// returns: entity      STRING        uuid; a row for each that was placed
// returns: category    STRING        uuid of where it went
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
    RETURN category, cosine, 4.0 * (cosine - coalesce(root.least, 0.0)) AS worth
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
    WITH root, other, 2.0 * score - 1.0 - coalesce(root.least, 0.0) AS beyond
    ORDER BY beyond DESC, other.uuid
    LIMIT 5
    MATCH (other)<-[:CONTAINS]-(category:Category)
    WHERE category.hierarchy = root.uuid AND beyond > 0
    RETURN category, null AS cosine, beyond AS worth
  }
  WITH category, max(cosine) AS cosine, sum(worth) AS worth
  WHERE category.speaker IS NULL AND category.unseen IS NULL
  WITH category, cosine
  ORDER BY worth DESC, category.uuid
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
