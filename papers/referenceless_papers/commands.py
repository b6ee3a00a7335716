"""The commands `referenceless reproduce …`."""

from metric_commons.cli.help import LazyGroup

reproduce = LazyGroup(
    name="reproduce",
    help="Measure a paper's tables beside the published ones.",
    commands_at={
        "ethayarajh": "referenceless_papers.ethayarajh.command:reproduce",
        "kann": "referenceless_papers.kann.command:reproduce",
        "dusek": "referenceless_papers.dusek.command:reproduce",
        "claims": "referenceless_papers.claims.command:claims",
        "study-designs": "referenceless_papers.study_designs.command:study_designs",
        "reranking": "referenceless_papers.reranking.command:reranking",
        "pictures": "referenceless_papers.pictures:pictures",
        "public-table": "referenceless_papers.public_table.command:public_table",
        "open-questions": "referenceless_papers.open_questions.command:open_questions",
        "lstm": "referenceless_papers.open_questions.command:lstm",
        "packaged-models": "referenceless_papers.packaged_models.command:packaged_models",
        "tune-small": "referenceless_papers.packaged_models.command:tune_small",
        "german": "referenceless_papers.packaged_models.command:german",
    },
)
