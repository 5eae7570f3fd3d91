// The whole route of a vector through the memtree, in one round trip.
//
// mode:    read
// param:   group          STRING       group to read
// param:   vector         LIST<FLOAT>  unit length
// param:   thresholds     LIST<FLOAT>  minimum cosine to descend from depth 0, 1, …; nothing descends past the end
// param:   tie            FLOAT        cosines this near to the highest count as equal; the first by position wins
// returns: depth          INTEGER      0 for the root; rows from the root down, none without a memtree
// returns: uuid           STRING
// returns: kind           STRING       root, category or leaf
// returns: cosine         FLOAT        similarity to the vector; null for the root
// returns: candidates     INTEGER      children compared at this node
// returns: next_position  INTEGER      position after its last child
// returns: position       INTEGER      position among its siblings
// returns: leaves         INTEGER
// returns: content        STRING
// returns: speaker        STRING
// returns: revision       INTEGER      revision of the root; null for other nodes
CYPHER 25
CALL mnemo.memtree.route($group, $vector, $thresholds, $tie)
YIELD depth, uuid, kind, cosine, candidates, next_position, position, leaves, content, speaker, revision
RETURN depth, uuid, kind, cosine, candidates, next_position, position, leaves, content, speaker, revision
ORDER BY depth
