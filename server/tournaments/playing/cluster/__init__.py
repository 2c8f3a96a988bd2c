"""A tournament's crew on other machines, through a Dask scheduler: only machines that play as this one does."""
