from concurrent.futures import ThreadPoolExecutor

from mnemo.providers import spacy_model


def test_pipeline_is_loaded_once_for_all_threads() -> None:
    with ThreadPoolExecutor(4) as pool:
        loaded = list(pool.map(lambda _: spacy_model.load(), range(4)))
    assert all(pipeline is loaded[0] for pipeline in loaded)


def test_people_and_places_are_recognised() -> None:
    document = spacy_model.load()("Ada moved to Lisbon last May.")
    assert ("Lisbon", "GPE") in [(entity.text, entity.label_) for entity in document.ents]
