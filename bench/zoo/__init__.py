"""The zoo: many kinds of data, each through the same jobs, Demat beside its peers. definitions/zoo.toml lists all."""
