// Speakers of a group; a search looks for their names in the question.
//
// mode:    schema
CYPHER 25
CREATE INDEX entity_speaker IF NOT EXISTS
FOR (node:Entity) ON (node.group, node.speaker)
