"""Tests of the strategy. Run them with: python3 -m unittest"""

import unittest

from strategy import choose

VIEW = {"rows": [[15], [11, 13], [8], [50, 51, 52, 53, 54]], "row_heads": [2, 6, 1, 11]}


class Strategy(unittest.TestCase):
    def test_a_card_that_fits_closely_is_better_than_a_sixth_one(self) -> None:
        self.assertEqual(choose("card", VIEW, [1, 16, 60]), 16)

    def test_the_row_with_the_fewest_heads_is_taken(self) -> None:
        self.assertEqual(choose("row", VIEW, [1, 2, 3, 4]), 3)

    def test_the_highest_card_is_drafted(self) -> None:
        self.assertEqual(choose("draft", {}, [1, 7, 10]), 10)

    def test_an_unknown_kind_gets_the_first_option(self) -> None:
        self.assertEqual(choose("dance", {}, [[], [5]]), [])


if __name__ == "__main__":
    unittest.main()
