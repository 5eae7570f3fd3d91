// Make a generation the current one: the moment at which queries see it, whole.
//
// mode:    write
// param:   group       STRING   whose memory
// param:   hierarchy   STRING   uuid of its root
// param:   owner       STRING   who built it
// param:   properties  MAP      calls, input_tokens, output_tokens, inserts, layers, least, speakers (uuid of `Speaker` or null)
// returns: generation  INTEGER  no row when another has taken over
CYPHER 25
MATCH (root:Hierarchy {uuid: $hierarchy})
WHERE root.group = $group AND root.owner = $owner AND root.building
SET root += $properties, root.current = true
REMOVE root.building, root.owner, root.heard, root.draft_keys, root.draft_replies
WITH root
CALL (root) {
  MATCH (old:Hierarchy {group: $group, kind: 'entities'})
  WHERE old.current AND old.generation < root.generation
  SET old.current = false
}
RETURN root.generation AS generation
