// The children of some nodes of a hierarchy, with vectors.
//
// mode:    read
// param:   group     STRING        group to read
// param:   parents   LIST<STRING>  uuids of hierarchies and categories
// returns: parent    STRING        uuid
// returns: uuid      STRING        the child
// returns: label     STRING        Category, Episode or Entity
// returns: position  INTEGER       position among its siblings; rows are ordered by parent and position
// returns: content   STRING        the summary, for an entity
// returns: name      STRING        name of a category or an entity
// returns: speaker   STRING        speaker of an episode
// returns: tags      LIST<STRING>
// returns: layer     INTEGER       0 for episodes and entities
// returns: leaves    INTEGER       1 for episodes and entities
// returns: vector    LIST<FLOAT>
CYPHER 25
UNWIND $parents AS parent
CALL (parent) {
  MATCH (node:Hierarchy {uuid: parent})
  WHERE node.group = $group
  RETURN node
  UNION ALL
  MATCH (node:Category {uuid: parent})
  WHERE node.group = $group
  RETURN node
}
MATCH (node)-[tie:CONTAINS]->(child:Category|Episode|Entity)
RETURN parent, child.uuid AS uuid,
       CASE WHEN child:Category THEN 'Category' WHEN child:Episode THEN 'Episode' ELSE 'Entity' END AS label,
       tie.position AS position, coalesce(child.content, child.summary, '') AS content, child.name AS name,
       child.speaker AS speaker, coalesce(child.tags, []) AS tags, coalesce(child.layer, 0) AS layer,
       coalesce(child.leaves, 1) AS leaves, child.embedding AS vector
ORDER BY parent, position, uuid
