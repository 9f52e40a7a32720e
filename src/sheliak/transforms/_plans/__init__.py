"""The longer plans of transforms; the transforms' own files call them."""
