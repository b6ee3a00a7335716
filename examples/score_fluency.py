"""Score fluency with the packaged language model, and see which token a text loses most by."""

from referenceless_metrics import WPSLOR, token_contributions

texts = ["The mayor opened the new bridge on Sunday.", "The mayor opened new the bridge on Sunday."]
metric = WPSLOR()
result = metric.predict(texts)
for text, value, found in zip(texts, result.values, token_contributions(metric, texts), strict=True):
    worst = min(range(len(found)), key=found.contributions.__getitem__)
    print(f"{value:.2f}  {text}  worst token: {found.surfaces[worst]!r} ({found.contributions[worst]:+.1f} nats)")
