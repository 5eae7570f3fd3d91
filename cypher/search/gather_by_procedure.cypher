// The plugin's `mnemo.search.gather`: the rows of search/gather, in one call.
//
// mode:    read
// rows:    plain
// param:   params    MAP        the parameters of search/gather
// returns: episodes  LIST<MAP>
// returns: entities  LIST<MAP>
// returns: edges     LIST<MAP>
// returns: people    LIST<MAP>
CYPHER 25
CALL mnemo.search.gather($params) YIELD episodes, entities, edges, people
RETURN episodes, entities, edges, people
