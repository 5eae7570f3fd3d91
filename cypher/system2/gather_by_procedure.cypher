// The plugin's `mnemo.system2.gather`: the row of system2/gather.
//
// mode:    read
// param:   params    MAP           the parameters of system2/gather
// returns: episodes  LIST<MAP>
// returns: entities  LIST<MAP>
// returns: edges     LIST<MAP>
// returns: people    LIST<MAP>
// returns: under     LIST<STRING>
CYPHER 25
CALL mnemo.system2.gather($params) YIELD episodes, entities, edges, people, under
RETURN episodes, entities, edges, people, under
