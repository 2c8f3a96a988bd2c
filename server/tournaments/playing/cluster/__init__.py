"""A tournament's crew on other machines, through a Dask scheduler: only machines that play exactly as this one does."""
