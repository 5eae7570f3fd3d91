// The speakers of a group, most episodes first.
//
// mode:    read
// param:   group     STRING   group to read
// returns: speaker   STRING   most frequent spelling
// returns: key       STRING   speaker_key of the episodes
// returns: episodes  INTEGER  episodes of this speaker
CYPHER 25
MATCH (episode:Episode {group: $group})
WHERE episode.speaker IS NOT NULL
WITH episode.speaker_key AS key, episode.speaker AS name, count(*) AS times
ORDER BY times DESC, name
WITH key, collect(name)[0] AS speaker, sum(times) AS episodes
RETURN speaker, key, episodes
ORDER BY episodes DESC, speaker
