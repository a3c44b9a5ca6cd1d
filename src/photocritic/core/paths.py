"""Where everything of a project lies, from its root."""

from pathlib import Path

DATA = Path("data")
INGEST, FILTER, LDA = DATA / "ingest", DATA / "filter", DATA / "lda"
FEATURES, CNN, CAPTIONERS = DATA / "features", DATA / "cnn_pretrain", DATA / "lstm_train"
EVALUATE, AUGMENT = DATA / "evaluate", DATA / "augment"
IMAGES, COMMENTS, REFERENCES = INGEST / "images.parquet", INGEST / "comments.parquet", INGEST / "references.parquet"
SHARDS = INGEST / "shards"
CAPTIONS, NGRAMS, GRAPH = FILTER / "captions.parquet", FILTER / "ngrams.parquet", FILTER / "graph"
TOPICS, WORDS, TOPIC_MODEL = LDA / "topics.parquet", LDA / "words.parquet", LDA / "model"
GENERATIONS = DATA / ".generations"  # journals of what the stages write
CHECKPOINTS = Path("checkpoints")
REPORTS = Path("reports")
REPORT = REPORTS / "report.html"
METRICS = REPORTS / "metrics" / "evaluate.json"
CHOICE = REPORTS / "tables" / "evaluate" / "champion.csv"
