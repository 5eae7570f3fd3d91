// Delete one version of a tree, unless it is its only one; the newest other becomes active if this one was.
//
// Versions made from it are then made from the one that it was made from. Its root is left to a stage.
//
// mode:    write
// param:   group   STRING   whose memory
// param:   tree    STRING   its name
// param:   number  INTEGER  the version
// param:   stage   STRING   uuid for a stage, which is closed already
// returns: left    INTEGER  versions before
// returns: stage   STRING   its uuid; null when the deletion was refused
CYPHER 25
MATCH (tree:Tree {group: $group, name: $tree})-[place:HAS_VERSION]->(version:Version {number: $number})-[:ROOT]->(root)
SET tree.revision = tree.revision + 1
WITH tree, place, version, root, COUNT { (tree)-[:HAS_VERSION]->() } AS left
CALL (tree, place, version, root, left) {
  WITH * WHERE left > 1
  OPTIONAL MATCH (version)-[:PARENT]->(parent:Version)
  CALL (version, parent) {
    MATCH (later:Version)-[:PARENT]->(version)
    WHERE parent IS NOT NULL
    CREATE (later)-[:PARENT]->(parent)
  }
  CALL (tree, place) {
    MATCH (tree)-[other:HAS_VERSION]->()
    WHERE other.ordinal > place.ordinal
    SET other.ordinal = other.ordinal - 1
  }
  CALL (tree, version) {
    MATCH (tree)-[:ACTIVE]->(version)
    MATCH (tree)-[:HAS_VERSION]->(newest:Version)
    WHERE newest <> version
    WITH tree, newest ORDER BY newest.number DESC LIMIT 1
    CREATE (tree)-[:ACTIVE]->(newest)
  }
  CREATE (stage:TreeStage {uuid: $stage, group: $group, name: $stage, closed: true, until: datetime()})-[:HOLDS]->(root)
  WITH version, stage.uuid AS uuid
  DETACH DELETE version
  RETURN collect(uuid) AS made
}
RETURN left, head(made) AS stage
