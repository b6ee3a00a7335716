"""Tiny causal language models of many kinds with random weights, and a tokeniser for them."""

from lazily import lazily

torch = lazily("torch")
transformers = lazily("transformers")


CORPUS = [
    "The committee has not yet decided whether the meeting will take place.",
    "She sold her house in Lyon, and bought a boat!",
    "Ein Satz mit Umlauten: größer, schöner, übermütig.",
    "Why would anyone do that?",
    "the the the of of a",
]
#: Largest difference of log-probabilities of one text, in nats, in float32.
TOLERANCE = 1e-4


def make_tokenizer(bos="<|endoftext|>", eos="<|endoftext|>", vocab=400):
    """A byte-level BPE tokeniser as GPT-2's, trained on a few sentences."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    names = {key: value for key, value in (("bos_token", bos), ("eos_token", eos)) if value is not None}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


SMALL = {
    "vocab_size": 400,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 64,
}


def make_model(kind):
    """A tiny model with random weights, larger than usual so that outputs are far from uniform."""
    torch.manual_seed(0)
    small = {**SMALL, "intermediate_size": 64, "num_key_value_heads": 2, "initializer_range": 0.3}
    ends = {"bos_token_id": 0, "eos_token_id": 0}
    configs = {
        "gpt2": lambda: transformers.GPT2Config(
            vocab_size=400, n_embd=32, n_layer=2, n_head=4, n_positions=64, initializer_range=0.3, **ends
        ),
        "llama": lambda: transformers.LlamaConfig(**small, **ends),
        "mistral": lambda: transformers.MistralConfig(**small, sliding_window=8, **ends),
        "opt": lambda: transformers.OPTConfig(
            **SMALL, ffn_dim=64, word_embed_proj_dim=16, init_std=0.3, pad_token_id=1, **ends
        ),
        "gpt_neox": lambda: transformers.GPTNeoXConfig(**SMALL, intermediate_size=64, initializer_range=0.3, **ends),
        "bloom": lambda: transformers.BloomConfig(
            vocab_size=400, hidden_size=32, n_layer=2, n_head=4, initializer_range=0.3, **ends
        ),
        "gemma2": lambda: transformers.Gemma2Config(
            **small, head_dim=8, final_logit_softcapping=2.0, sliding_window=8, pad_token_id=0, **ends
        ),
        "granite": lambda: transformers.GraniteConfig(**small, logits_scaling=4.0, **ends),
        "cohere": lambda: transformers.CohereConfig(**small, logit_scale=0.25, pad_token_id=0, **ends),
        "mamba": lambda: transformers.MambaConfig(
            vocab_size=400, hidden_size=32, num_hidden_layers=2, state_size=4, initializer_range=0.3, **ends
        ),
    }
    return transformers.AutoModelForCausalLM.from_config(configs[kind]()).eval()


MODELS = "gpt2 llama mistral opt gpt_neox bloom gemma2 granite cohere mamba".split()
