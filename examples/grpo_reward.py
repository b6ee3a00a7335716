"""Train a tiny model by GRPO with fluency as its reward: from random words towards sentences.

Runs offline in half a minute on a CPU: the model and its tokenizer are built on the spot, from the example pool. Needs
`pip install "referenceless-metrics[trl]"`. The argument is a folder for checkpoints.
"""

import sys

import datasets
import transformers
import trl
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from referenceless_metrics import Fluency, Reward, example_pool, rerank

transformers.set_seed(1)
words = Tokenizer(models.WordLevel(unk_token="<unk>"))
words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
words.train_from_iterator(example_pool().texts, trainers.WordLevelTrainer(special_tokens=["<pad>", "</s>", "<unk>"]))
special = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=words, **special)
sizes = {"n_embd": 64, "n_layer": 1, "n_head": 2, "n_positions": 64}
config = transformers.GPT2Config(vocab_size=len(tokenizer), bos_token_id=1, eos_token_id=1, pad_token_id=0, **sizes)

# An empty completion has no fluency: it gets the floor, and no other completion gets less.
reward = Reward(Fluency(), floor=-9.0)
trainer = trl.GRPOTrainer(
    transformers.GPT2LMHeadModel(config),
    reward,
    args=trl.GRPOConfig(
        sys.argv[1] if len(sys.argv) > 1 else "grpo-example",
        max_steps=40,
        learning_rate=3e-3,
        per_device_train_batch_size=64,
        num_generations=16,
        max_completion_length=8,
        logging_steps=1,
        disable_tqdm=True,
        use_cpu=True,
        bf16=False,
        report_to="none",
        save_strategy="no",
    ),
    train_dataset=datasets.Dataset.from_dict({"prompt": ["The"] * 64}),
    processing_class=tokenizer,
)
trainer.train()

rewards = [row["reward"] for row in trainer.state.log_history if "reward" in row]
print(f"mean reward: first five steps {sum(rewards[:5]) / 5:.2f}, last five {sum(rewards[-5:]) / 5:.2f}")

prompt = tokenizer(["The"] * 16, return_tensors="pt", return_token_type_ids=False)
drawn = trainer.model.generate(**prompt, do_sample=True, max_new_tokens=8, pad_token_id=0)
best = rerank([tokenizer.batch_decode(drawn, skip_special_tokens=True)], Fluency())
print(f"best of 16: {best.texts[0]}")
