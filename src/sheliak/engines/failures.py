"""What ends a run for good, in words for the user: which dataset, which transform, what is so, and what helps."""

from __future__ import annotations


class RunFailure(Exception):
    """The run cannot be finished. `str` is the one message; `details`, which may be long, is for whoever asks for all of it."""

    def __init__(
        self,
        message: str,
        *,
        dataset: str | None = None,
        transform: str | None = None,
        help: str | None = None,
        details: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.dataset = dataset
        self.transform = transform
        self.help = help
        self.details = details

    def __str__(self) -> str:
        place = [f"dataset `{self.dataset}`"] if self.dataset is not None else []
        place += [f"transform `{self.transform}`"] if self.transform is not None else []
        return f"{', '.join(place)}: {self.message}" if place else self.message

    def at(self, dataset: str | None, transform: str | None = None) -> RunFailure:
        """The same failure with its place, where it has none yet."""
        return RunFailure(
            self.message,
            dataset=self.dataset or dataset,
            transform=self.transform or transform,
            help=self.help,
            details=self.details,
        )


class RowLimit(RunFailure):
    """A dataset has more rows than may leave the engine."""

    def __init__(self, dataset: str, limit: int, use: str) -> None:
        super().__init__(
            f"it has more than {limit:,} rows, and {use}",
            dataset=dataset,
            help="aggregate, bin, sample or filter before the rows are drawn, or raise the limit with --row-limit",
        )
        self.limit = limit
