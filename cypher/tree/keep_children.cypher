// Link copies to the children of their sources, without the removed ones and with shifted positions.
//
// mode:    write
// param:   group    STRING     group to write
// param:   version  STRING     uuid of the new version; if it was refused, nothing is written
// param:   rows     LIST<MAP>  parent (uuid of the copy), source (uuid), gone and come: removed and added children, lists of {position, type}
// returns: links    INTEGER    created
CYPHER 25
MATCH (:Version {uuid: $version, group: $group})
UNWIND $rows AS row
MATCH (copy:TreeNode {uuid: row.parent, group: $group})
MATCH (source:TreeNode {uuid: row.source, group: $group})-[link:CHILD]->(child:TreeNode)
WHERE none(item IN row.gone WHERE item.position = link.position)
WITH row, copy, link, child,
  [item IN row.gone WHERE item.position < link.position | item.type] AS gone,
  [item IN row.come WHERE item.position <= link.position | item.type] AS come
CREATE (copy)-[:CHILD {
  position: link.position - size(gone) + size(come),
  ordinal: link.ordinal - size([type IN gone WHERE type = child.type]) + size([type IN come WHERE type = child.type])
}]->(child)
RETURN count(*) AS links
