"""The ground floor: the protocol of a metric, its result, the registry, files in and out, checks of arguments."""
