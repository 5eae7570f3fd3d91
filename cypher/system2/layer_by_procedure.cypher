// The plugin's `mnemo.system2.layer`: the rows of system2/layer.
//
// mode:    read
// param:   params     MAP           the parameters of system2/layer
// returns: hierarchy  STRING
// returns: uuid       STRING
// returns: name       STRING
// returns: tags       LIST<STRING>
// returns: layer      INTEGER
// returns: leaves     INTEGER
// returns: parents    INTEGER
// returns: cosine     FLOAT
CYPHER 25
CALL mnemo.system2.layer($params) YIELD hierarchy, uuid, name, tags, layer, leaves, parents, cosine
RETURN hierarchy, uuid, name, tags, layer, leaves, parents, cosine
