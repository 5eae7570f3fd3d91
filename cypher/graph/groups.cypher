// The groups that have episodes, by name.
//
// mode:    read
// returns: name      STRING
// returns: episodes  INTEGER         in it
// returns: pending   INTEGER         episodes not processed yet
// returns: failed    INTEGER         episodes that could not be processed
// returns: entities  INTEGER         in it
// returns: edges     INTEGER         facts in it, ended ones included
// returns: last      ZONED DATETIME  latest known time of an episode, or null
CYPHER 25
MATCH (episode:Episode)
WITH episode.group AS name, count(*) AS episodes, max(episode.occurred_at) AS last,
     sum(CASE episode.status WHEN 'pending' THEN 1 ELSE 0 END) AS pending,
     sum(CASE episode.status WHEN 'failed' THEN 1 ELSE 0 END) AS failed
RETURN name, episodes, pending, failed,
       COUNT { MATCH (entity:Entity {group: name}) } AS entities,
       COUNT { MATCH (edge:Edge {group: name}) } AS edges,
       last
ORDER BY name
