"""The reference engine against Vega itself: recorded cases for every run of the tests, whole folders of specs when asked."""
