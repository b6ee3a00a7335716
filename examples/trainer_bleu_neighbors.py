"""Train a tiny model to put words in order, with BLEU Neighbors choosing the best checkpoint and SLOR beside it.

Runs offline in under a minute on a CPU: the model, its tokenizer and SLOR's language model are built on the spot, from
the example pool. Needs `pip install "referenceless-metrics[trainer]"`. The argument is a folder for checkpoints. What
the best one writes is in `outputs.txt` there, a text per line, as `referenceless compare` and `score` read it.
"""

import random
import sys
from pathlib import Path

import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from referenceless_metrics import SLOR, BLEUNeighbors, example_pool, generation_metrics, train_ngram

transformers.set_seed(1)
pool = example_pool()
words = Tokenizer(models.WordLevel(unk_token="<unk>"))
words.pre_tokenizer = pre_tokenizers.Whitespace()
words.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
words.train_from_iterator(pool.texts, trainers.WordLevelTrainer(special_tokens=["<pad>", "</s>", "<unk>"]))
special = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=words, **special)

good = [text for text, ratings in zip(pool.texts, pool.ratings, strict=True) if ratings > pool.ratings.mean()]
shuffled = tokenizer([" ".join(random.sample(text.split(), len(text.split()))) for text in good])
examples = [{"input_ids": a, "labels": b} for a, b in zip(shuffled.input_ids, tokenizer(good).input_ids, strict=True)]

sizes = {"d_model": 64, "d_kv": 16, "d_ff": 128, "num_layers": 1, "num_heads": 4}
config = transformers.T5Config(vocab_size=len(tokenizer), decoder_start_token_id=0, **sizes)
model = transformers.T5ForConditionalGeneration(config)
metrics = BLEUNeighbors(progress=False).fit(pool.texts, pool.ratings), SLOR(train_ngram(good, order=2))
compute_metrics = generation_metrics(tokenizer, *metrics, references=good)
folder = Path(sys.argv[1] if len(sys.argv) > 1 else "trainer-example")

trainer = transformers.Seq2SeqTrainer(
    model,
    transformers.Seq2SeqTrainingArguments(
        str(folder),
        num_train_epochs=40,
        learning_rate=5e-3,
        per_device_eval_batch_size=64,
        predict_with_generate=True,
        generation_max_length=24,
        eval_strategy="epoch",
        save_strategy="epoch",
        save_total_limit=1,
        metric_for_best_model="bleu_neighbors",
        load_best_model_at_end=True,
        report_to="none",
    ),
    data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model),
    train_dataset=examples,
    eval_dataset=examples,
    callbacks=[transformers.EarlyStoppingCallback(early_stopping_patience=10)],
    compute_metrics=compute_metrics,
)
trainer.train()
print("best bleu_neighbors:", trainer.state.best_metric, "at step", trainer.state.best_global_step)
texts = compute_metrics.decode(trainer.predict(examples).predictions)
(folder / "outputs.txt").write_text("".join(" ".join(text.split()) + "\n" for text in texts), encoding="utf-8")
