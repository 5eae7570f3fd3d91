// Create the same synthetic facts as graphiti-core stores them: relationships between entities.
//
// mode:    write
// param:   rows    LIST<MAP>  group, uuid, text, subject, object, at, embedding (a list)
// returns: number  INTEGER    rows written
CYPHER 25
UNWIND $rows AS row
MERGE (source:Entity:Graphiti {uuid: row.group + '/' + row.subject})
ON CREATE SET source.group_id = row.group, source.name = row.subject, source.summary = '', source.created_at = row.at
MERGE (target:Entity:Graphiti {uuid: row.group + '/' + row.object})
ON CREATE SET target.group_id = row.group, target.name = row.object, target.summary = '', target.created_at = row.at
CREATE (source)-[fact:RELATES_TO {
  uuid: row.uuid, group_id: row.group, name: 'DID', fact: row.text, created_at: row.at, episodes: []
}]->(target)
WITH fact, row
CALL db.create.setRelationshipVectorProperty(fact, 'fact_embedding', row.embedding)
RETURN count(*) AS number
