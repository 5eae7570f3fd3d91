// Episodes of a session in order.
//
// mode:    schema
CYPHER 25
CREATE INDEX episode_session IF NOT EXISTS
FOR (node:Episode) ON (node.group, node.session, node.position)
