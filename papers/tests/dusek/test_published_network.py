from referenceless_papers.dusek.published_network import network_settings, network_signature


def test_the_published_network():
    settings = network_settings("published")
    assert (settings.layers, settings.units, settings.width, settings.tanh_layers) == (2, 300, 1200, 2)
    assert (settings.passes, settings.synthetic_passes, settings.learning_rate) == (500, 20, 1e-4)
    assert "units:300" in network_signature(settings)
    assert network_settings("small").units == 64
