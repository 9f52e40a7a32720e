"""The grown type language: primitives, records, arrays, unions, `unknown`; how they join and how they are read."""
