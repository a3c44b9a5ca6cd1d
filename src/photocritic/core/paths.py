"""Where everything of a project lies, from its root."""

from pathlib import Path

DATA = Path("data")
INGEST, FILTER, ASSOCIATE, LDA = DATA / "ingest", DATA / "filter", DATA / "associate", DATA / "lda"
FEATURES, CNN, CAPTIONERS = DATA / "features", DATA / "cnn_pretrain", DATA / "lstm_train"
PREDICT, PREDICTIONS, STYLE_JUDGES = DATA / "predict", DATA / "predictions", DATA / "style_judges"
RETRIEVERS = DATA / "retrieve"
EVALUATE, AUGMENT = DATA / "evaluate", DATA / "augment"
IMAGES, COMMENTS, REFERENCES = INGEST / "images.parquet", INGEST / "comments.parquet", INGEST / "references.parquet"
SHARDS = INGEST / "shards"
CAPTIONS, NGRAMS = FILTER / "captions.parquet", FILTER / "ngrams.parquet"
FORMS, EDGES = ASSOCIATE / "captions.parquet", ASSOCIATE / "edges.parquet"
GRAPHML = ASSOCIATE / "graph.graphml"
TOPICS, WORDS, TOPIC_MODEL = LDA / "topics.parquet", LDA / "words.parquet", LDA / "model"
GENERATIONS = DATA / ".generations"  # journals of what the stages write
CHECKPOINTS = Path("checkpoints")
PARTS = ("first", "second")  # folders in that of fused features: the networks that make them
REPORTS = Path("reports")
REPORT, SUMMARY, SEEDS = REPORTS / "report.html", REPORTS / "report.md", REPORTS / "seeds"
STAGE_METRICS, STAGE_PLOTS, STAGE_TABLES = REPORTS / "metrics", REPORTS / "plots", REPORTS / "tables"
METRICS = STAGE_METRICS / "evaluate.json"
CHOICE = REPORTS / "tables" / "report" / "champion.csv"


def parts_of(network: Path) -> list[Path]:
    """Return the folders of the networks whose features are fused, or the one folder of a network on its own."""
    parts = [network / name for name in PARTS]
    return parts if parts[0].is_dir() else [network]
