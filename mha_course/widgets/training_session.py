"""One training in use: what the hand did to it, and what the screen has to change."""

import time
from typing import Any

from mha_course.engine.notation.typed_numbers import read_whole_entry
from mha_course.engine.pictures.markup import Markup, escaped
from mha_course.engine.pictures.picture import Picture
from mha_course.engine.pictures.protocol import Actions, Update, are_ticks
from mha_course.engine.pictures.svg_figure import SvgFigure
from mha_course.maths.which_head import Head, all_heads
from mha_course.pictures import training_screen
from mha_course.pictures.head_names import button_of, in_words
from mha_course.pictures.learning_curves import learning_curves
from mha_course.pictures.training_screen import LABELS, Read
from mha_course.training.sentences import ids_of, written
from mha_course.training.skills import SKILLS, read_skill
from mha_course.training.training import MOST_STEPS, Training

SLICE = 0.03  # seconds of training between two pictures, so that every press is heard
LENGTHS = {"4,5,7,8": "4, 5, 7 or 8 letters", "7": "7 letters", "4": "4 letters", "3,4,5,6,7,8": "3 to 8 letters"}
COUNTS = ("1", "2")
FEW = 64  # sentences that test one length, at every picture
TESTED = (3, 4, 5, 6, 7, 8)  # lengths


class TrainingSession:
    """Train, pause, look back, switch heads off. The model learns only between a press of *Train* and the next.

    training: as it is shown first. It may have been trained already.
    """

    def __init__(self, training: Training):
        """Show a training as it is."""
        self._made = {
            "skill": training.skill.name,
            "lengths": ",".join(map(str, training.lengths)),
            "num_layers": str(training.model.design.num_layers),
            "num_heads": str(training.model.design.num_heads),
            "seed": str(training.seed),
        }
        self._training, self._text = training, training.skill.shown
        self._query = len(self._text) - 1
        self._at: int | None = None  # None: the last step, whatever it is
        self._off: frozenset[Head] = frozenset()
        self._speed, self._is_playing = "5", False
        self._alert = ""
        self._tested: tuple[object, Markup] = None, Markup("")  # of what, and the table

    @property
    def training(self) -> Training:
        """What is trained."""
        return self._training

    @property
    def at(self) -> int:
        """The step that is looked at."""
        return self._training.steps if self._at is None else self._at

    @property
    def text(self) -> str:
        """The sentence that is looked at."""
        return self._text

    def screen(self) -> Markup:
        """Return the markup of the screen; its parts come with the first update."""
        return training_screen.training_screen(training_screen.controls(self._choices(), self._values()), self._heads())

    def still(self) -> Picture:
        """Return the `Picture` that stands for the training where no kernel runs."""
        return training_screen.still(self._training.skill.words, self._sentence(), self._curves(), self._read())

    def act(self, actions: Actions) -> Update:
        """Do what the hand did, one action after the other, and return what the screen has to change."""
        before = self._structure()
        if not are_ticks(actions):  # one that was under way takes no sentence away
            self._alert = ""
        for action in actions:
            try:
                self._do(action)
            except (ValueError, TypeError) as error:
                self._alert, self._is_playing = str(error), False
        update = self._update()
        if self._structure() != before:
            update["html"] = self.screen()
        return update

    def _do(self, action: Any) -> None:
        match action:
            case ["tick"]:
                self._train_a_while()
            case ["press", "play"]:
                self._is_playing, self._at = not self._is_playing, None
            case ["press", "step"]:
                self._is_playing, self._at = False, None
                self._training.train(1)
            case ["press", "reset"]:
                self._make({})
            case ["press", str(button)]:
                self._press(*button.split())
            case ["set", "at", str(text)]:
                self._is_playing, self._at = False, min(_whole("at", text), self._training.steps)
            case ["set", "speed", str(text)] if text in training_screen.SPEEDS:
                self._speed = text
            case ["set", "text", str(text)]:
                ids_of(text, self._training.skill.n)
                self._text, self._query = text, min(self._query, len(text) - 1)
            case ["set", str(name), str(text)] if name in self._made:
                self._make({name: text})
            case _:
                raise ValueError(f"{action!r} is nothing that can be done here.")

    def _press(self, what: str, *where: str) -> None:
        numbers = [int(each) for each in where]
        if what == "letter" and numbers[0] in range(len(self._text)):
            self._query = numbers[0]
        elif what == "head" and tuple(numbers) in self._heads():
            self._off = self._off ^ {(numbers[0], numbers[1])}
        else:
            raise ValueError(f"{what!r} is no button here.")

    def _train_a_while(self) -> None:
        """Take as many steps as one picture shows, or as fit its time."""
        end = time.perf_counter() + SLICE
        for _ in range(int(self._speed) if self._is_playing else 0):
            if self._training.steps == MOST_STEPS:
                self._is_playing = False
                raise ValueError(f"After {MOST_STEPS} steps it ends here. Press Reset to begin anew.")
            self._training.train(1)
            if time.perf_counter() > end:
                return

    def _make(self, changes: dict[str, str]) -> None:
        """Begin a new training, with something else than before."""
        wanted = self._made | changes
        if "skill" in changes:
            skill = read_skill(wanted["skill"])
            wanted |= {"lengths": ",".join(map(str, skill.lengths)), "num_layers": str(skill.num_layers)}
        training = Training(
            wanted["skill"],
            seed=_whole("seed", wanted["seed"]),
            num_layers=_whole("num_layers", wanted["num_layers"]),
            num_heads=_whole("num_heads", wanted["num_heads"]),
            lengths=[_whole("lengths", each) for each in wanted["lengths"].split(",")] if wanted["lengths"] else None,
        )
        self._made, self._training = wanted, training
        self._is_playing, self._at, self._off = False, None, frozenset()
        if "skill" in changes:
            self._text = training.skill.shown
            self._query = len(self._text) - 1

    def _structure(self) -> tuple[object, ...]:
        """All that the screen depends on, besides its parts."""
        return self._training.skill, self._made["lengths"], self._heads()

    def _heads(self) -> list[Head]:
        design = self._training.model.design
        return all_heads(design.num_layers, design.num_heads)

    # What the screen shows

    def _choices(self) -> dict[str, dict[str, str]]:
        own = self._made["lengths"]
        lengths = LENGTHS if own in LENGTHS else {own: f"{own.replace(',', ', ')} letters", **LENGTHS}
        return {
            "speed": training_screen.SPEEDS,
            "skill": {name: skill.label for name, skill in SKILLS.items()},
            "lengths": lengths if self._training.skill.lengths else {},
            "num_layers": {each: each for each in sorted({*COUNTS, self._made["num_layers"]})},
            "num_heads": {each: each for each in sorted({*COUNTS, self._made["num_heads"]})},
        }

    def _values(self) -> dict[str, str]:
        return {**self._made, "speed": self._speed, "text": self._text}

    def _read(self) -> Read:
        training = self._training
        reading = training.read(self._text, self._off, self.at)
        asked = training.skill.ask(reading.ids)
        return Read(
            self._text,
            asking=[str(place + 1) for place in range(len(self._text))] if training.skill.crosses else self._text,
            answers=written(asked.answers[0]),
            guesses=written(reading.predictions[0]),
            counts=asked.loss_mask[0].tolist(),
            weights={head: reading.layers[head[0] - 1].weights[0, head[1] - 1] for head in self._heads()},
            off=self._off,
            query=self._query,
        )

    def _curves(self) -> SvgFigure:
        return learning_curves(self._training.losses, self._training.accuracies, self.at)

    def _sentence(self) -> str:
        if not self._training.steps:
            return "Step 0: the parameters are random. Nothing is learned yet."
        step = min(self.at, self._training.steps - 1)
        loss, accuracy = self._training.losses[step], self._training.accuracies[step]
        told = f"Step {self.at}: loss {loss:.2f}, accuracy {accuracy:.2f}"
        if not self._off:
            return f"{told}."
        return f"{told} with all heads. Tested without {_listed(self._off)}: see the table."

    def _status(self) -> str:
        """Say what is news for those who do not see the picture: while it plays, only that it plays."""
        return "Training …" if self._is_playing else self._sentence()

    def _update(self) -> Update:
        on = [button_of(head) for head in self._heads() if head not in self._off]
        own = {
            "words": escaped(self._training.skill.words),
            "told": escaped(self._sentence()),
            "curves": self._curves().svg,
            "slider": training_screen.slider(self._training.steps),
            "tests": self._tests(),
            "alert": escaped(self._alert),
            "status": escaped(self._status()),
        }
        return Update(
            fields={"controls": self._values(), "time": {"at": str(self.at)}},
            on=[*on, "play"] if self._is_playing else on,
            parts=own | training_screen.parts(self._read()),
        )

    def _tests(self) -> Markup:
        """Return the table of tests; the model is tested anew only where it, or what is off, is another."""
        of = self._training, self._training.at(self.at), self._off
        if self._tested[0] != of:
            self._tested = of, self._drawn_tests()
        return self._tested[1]

    def _drawn_tests(self) -> Markup:
        """Draw how the model does on words of each length, or on what there is where there are no words."""
        training = self._training
        lengths = TESTED if training.lengths else (training.skill.n,)
        found = {each: training.test([each] if training.lengths else None, self._off, self.at, FEW) for each in lengths}
        parts = {each: (result.accuracy, result.weight) for each, result in found.items()}
        return training_screen.tested(parts, training.lengths or lengths)


def _whole(name: str, text: str) -> int:
    """Read the whole number that is in a control."""
    return read_whole_entry(LABELS[name], text)


def _listed(heads: frozenset[Head]) -> str:
    return " and ".join(map(in_words, sorted(heads)))
