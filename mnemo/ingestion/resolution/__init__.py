"""From extracted mentions and facts to what is written: same entity, same fact, ended fact."""
