// Full text of episodes; the keys are single tokens that a query requires.
//
// The analyzer was chosen by measurement (scripts/bench/index_options.py text): mean reciprocal rank of
// one document per question, without and with the property search_terms of mnemo.store.lucene.
//
//                          English      Japanese     Chinese      Korean       accents
// english                  1.00  1.00   1.00  1.00   1.00  1.00   0.25  1.00   0.50  1.00   chosen, with
// standard-folding         0.75  0.75   1.00  1.00   1.00  1.00   0.25  1.00   1.00  1.00
// standard-no-stop-words   0.75  0.75   1.00  1.00   1.00  1.00   0.25  1.00   0.50  1.00
// cjk                      0.75  0.75   1.00  1.00   1.00  1.00   1.00  1.00   0.50  1.00
// unicode_whitespace       0.50  0.50   0.00  0.29   0.00  0.00   0.25  1.00   0.31  0.81
//
// mode:    schema
CYPHER 25
CREATE FULLTEXT INDEX episode_text IF NOT EXISTS
FOR (node:Episode) ON EACH [
  node.content, node.search_terms, node.group_key, node.session_key, node.speaker_key
]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
