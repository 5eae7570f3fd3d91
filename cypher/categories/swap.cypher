// Make a generation current; queries see it from then on.
//
// mode:    write
// param:   group       STRING   group being built
// param:   hierarchy   STRING   uuid of the generation's root
// param:   owner       STRING   id of the builder
// param:   properties  MAP      calls, input_tokens, output_tokens, inserts, layers, least (minimum cosine), speakers (uuid of `Speaker` or null)
// returns: generation  INTEGER  no row if another builder has taken over
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
