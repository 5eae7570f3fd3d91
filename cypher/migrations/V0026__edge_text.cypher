// Full text of facts. Analyzer: see V0024.
//
// mode:    schema
CYPHER 25
CREATE FULLTEXT INDEX edge_text IF NOT EXISTS
FOR (node:Edge) ON EACH [
  node.fact, node.search_terms, node.group_key
]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
