"""Associate captions with the images that they are written under: the graph of Déjà Image-Captions."""

from photocritic.core.outcome import Outcome
from photocritic.core.paths import CAPTIONS, EDGES, FORMS, GRAPHML, IMAGES
from stages.runner import Stage, run_stage


def work(stage: Stage) -> Outcome:
    """Write the graph as two tables and as GraphML."""
    from photocritic.filtering.association import GraphFiles, associate

    params = stage.params
    graph = GraphFiles(stage.writes(FORMS), stage.writes(EDGES), stage.writes(GRAPHML))
    return associate(stage.reads(CAPTIONS), stage.reads(IMAGES), graph, params.associate, params.language)


if __name__ == "__main__":
    run_stage("associate", work)
