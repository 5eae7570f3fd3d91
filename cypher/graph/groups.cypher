// The groups that have episodes, by name.
//
// mode:    read
// returns: group     STRING
// returns: episodes  INTEGER  in it
CYPHER 25
MATCH (episode:Episode)
RETURN episode.group AS group, count(*) AS episodes
ORDER BY group
