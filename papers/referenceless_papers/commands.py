"""The commands `referenceless reproduce …`."""

from referenceless_metrics.command_line.help import LazyGroup

reproduce = LazyGroup(
    name="reproduce",
    help="Measure a paper's tables beside the published ones.",
    sections={
        "Commands": {
            "ethayarajh": (
                "referenceless_papers.ethayarajh.command:reproduce",
                "Measure the tables and figures of Ethayarajh & Sadigh (2020) beside the published ones.",
            ),
            "kann": ("referenceless_papers.kann.command:reproduce", "Evaluate the paper's metrics on rated texts."),
            "dusek": (
                "referenceless_papers.dusek.command:reproduce",
                "Measure the tables of Dušek, Novikova & Rieser (2017) beside the published ones.",
            ),
            "claims": (
                "referenceless_papers.claims.command:claims",
                "Show on real ratings what estimates may be used to claim, and what they may not.",
            ),
            "study-designs": (
                "referenceless_papers.study_designs.command:study_designs",
                "Draw rating studies whose truth is known, and see what `human-score`'s 95 % intervals hold.",
            ),
            "speed": (
                "referenceless_papers.speed.command:speed",
                "Measure what a million lines take by every metric: CPU seconds, time by the clock, memory.",
            ),
            "reranking": (
                "referenceless_papers.reranking.command:reranking",
                "Measure by how much picking a source's best output by a metric beats picking one at random.",
            ),
            "pictures": (
                "referenceless_papers.pictures:pictures",
                "Make the pictures of README, documentation and cards anew (Chromium, selenium).",
            ),
            "public-table": (
                "referenceless_papers.public_table.command:public_table",
                "Measure every metric on every public set of rated texts, beside what needs no metric.",
            ),
            "open-questions": (
                "referenceless_papers.open_questions.command:open_questions",
                "Measure what the papers leave open, suggest, or report without a figure.",
            ),
            "lstm": ("referenceless_papers.open_questions.command:lstm", "Train the LSTM of Kann et al."),
            "packaged-models": (
                "referenceless_papers.packaged_models.command:packaged_models",
                "Make the models that come with the package anew, byte for byte, and report on them as JSON.",
            ),
            "tune-small": (
                "referenceless_papers.packaged_models.command:tune_small",
                "Train the small model further, to tell sentences from faulty ones and to rank them as SmolLM2 does.",
            ),
            "fluency-constants": (
                "referenceless_papers.packaged_models.command:fluency_constants",
                "Make the files of Fluency's weights and scale anew.",
            ),
            "fluency-choice": (
                "referenceless_papers.packaged_models.command:fluency_choice",
                "Choose Fluency's weights on rated sets, and measure each set with weights chosen without it.",
            ),
            "fluency-scale": (
                "referenceless_papers.packaged_models.command:fluency_scale",
                "Measure how often people rate sentences low at each level of Fluency.",
            ),
            "plain-pairs": (
                "referenceless_papers.packaged_models.command:plain_pairs",
                "Measure how much Fluency changes where a text is written in another form.",
            ),
            "named-faults": (
                "referenceless_papers.packaged_models.command:named_faults",
                "Measure how often the likeliest fault of a text is the one that was made.",
            ),
            "german": (
                "referenceless_papers.packaged_models.command:german",
                "Train Fluency for German on Debian's documentation, and report as JSON which faults it sees.",
            ),
        }
    },
)
