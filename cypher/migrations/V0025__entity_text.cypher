// Full text of entities; alias_tokens has one token for each name of an entity. Analyzer: see V0024.
//
// mode:    schema
CYPHER 25
CREATE FULLTEXT INDEX entity_text IF NOT EXISTS
FOR (node:Entity) ON EACH [
  node.name, node.aliases, node.tags, node.summary, node.search_terms, node.alias_tokens, node.group_key
]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
