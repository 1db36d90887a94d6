"""The film in the README shows the widgets as they are today, moves smoothly, and is small enough to be waited for."""

import film
from PIL import Image


def test_the_film_shows_the_widgets_of_today():
    with Image.open(film.FILM) as pictures:
        assert pictures.info["comment"].decode() == film.mark(), "make film makes it anew"


def test_the_film_has_fifteen_pictures_a_second_and_is_soon_there():
    with Image.open(film.FILM) as pictures:
        times = []  # a picture that stays has several in one
        for number in range(pictures.n_frames):
            pictures.seek(number)
            times.append(pictures.info["duration"])
    assert min(times) <= 1000 / 15 and 8000 <= sum(times) <= 20_000
    assert film.FILM.stat().st_size <= 3_000_000 and film.STILL.is_file()
