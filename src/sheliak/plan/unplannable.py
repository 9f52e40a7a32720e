"""The one exception that says why a transform cannot be part of a plan."""


class Unplannable(Exception):
    """A plan cannot say this exactly; the message gives the reason in the user's words, and the driver runs the transform."""


class ByIdentity(Unplannable):
    """Dates, lists or objects are compared, each of which equals itself alone: copies of them are not the same."""
