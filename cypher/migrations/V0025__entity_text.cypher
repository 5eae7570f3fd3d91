// Words of entities; alias_tokens has one token for each name that an entity goes by. See the episodes' for the analyzer.
//
// mode:    schema
CYPHER 25
CREATE FULLTEXT INDEX entity_text IF NOT EXISTS
FOR (node:Entity) ON EACH [
  node.name, node.aliases, node.tags, node.summary, node.search_terms, node.alias_tokens, node.group_key
]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
