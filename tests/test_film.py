"""The film in the README shows the board as it is drawn today."""

import film
from PIL import Image


def test_the_film_shows_the_board_of_today():
    with Image.open(film.FILM) as pictures:
        assert pictures.info["comment"].decode() == film.mark(), "make film makes it anew"
        assert pictures.n_frames == len(film.SCENES)
