// The sessions of a group in the order of their first episode.
//
// mode:    read
// param:   group     STRING   group to read
// returns: session   STRING
// returns: episodes  INTEGER  number of episodes
// returns: began     ZONED DATETIME  earliest known time, or null
// returns: ended     ZONED DATETIME  latest known time, or null
CYPHER 25
MATCH (episode:Episode {group: $group})
WITH episode.session AS session, count(*) AS episodes, min(episode.sequence) AS first,
     min(episode.occurred_at) AS began, max(episode.occurred_at) AS ended
RETURN session, episodes, began, ended
ORDER BY first
