// Delete one version of a tree unless it is the only one; if it was active, the newest other version becomes active.
//
// Its child versions become children of its parent version. Its root is moved to a closed stage.
//
// mode:    write
// param:   group   STRING   group to write
// param:   tree    STRING   its name
// param:   number  INTEGER  the version
// param:   stage   STRING   uuid for the new stage
// returns: left    INTEGER  number of versions before the deletion
// returns: stage   STRING   uuid of the stage; null if the deletion was refused
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
