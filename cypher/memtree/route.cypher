// The whole route of a vector through the tree over episodes, in one round trip.
//
// mode:    read
// param:   group          STRING       whose memory
// param:   vector         LIST<FLOAT>  unit length
// param:   thresholds     LIST<FLOAT>  least cosine to go down from depth 0, 1, …; past the end nothing goes down
// param:   tie            FLOAT        cosines that near to the highest are a tie: the first in position wins
// returns: depth          INTEGER      0 for the root; rows from the root down, none without a tree
// returns: uuid           STRING
// returns: kind           STRING       root, category or leaf
// returns: cosine         FLOAT        null for the root
// returns: candidates     INTEGER      children compared at this node
// returns: next_position  INTEGER      behind all its children
// returns: position       INTEGER      among its siblings
// returns: leaves         INTEGER
// returns: content        STRING
// returns: speaker        STRING
// returns: revision       INTEGER      of the root; null for others
CYPHER 25
CALL mnemo.memtree.route($group, $vector, $thresholds, $tie)
YIELD depth, uuid, kind, cosine, candidates, next_position, position, leaves, content, speaker, revision
RETURN depth, uuid, kind, cosine, candidates, next_position, position, leaves, content, speaker, revision
ORDER BY depth
