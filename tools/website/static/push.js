// The number on the first page: what each push moves was recorded, so it is answered before Python is there.
/* global RECORDED, refresh, choosing, sizing */
addEventListener("DOMContentLoaded", () => {
  const stage = document.querySelector(".stage");
  if (!stage) return;
  const { values, places, states, below } = RECORDED;
  const [less, number, more] = stage.querySelectorAll(".stepper > *");
  const drawing = stage.querySelector(".sentence");
  let word = Number(drawing.querySelector('[aria-checked="true"]').dataset.word);

  const show = () => {
    const [news, said] = states[number.value][word];
    refresh(drawing, places.map(([at, name], i) => [at, name, news[i]]));
    stage.querySelector(".said").innerHTML = said;
    stage.querySelector(".why").textContent = Number(number.value) < 0 ? below[word] ?? "" : "";
    const pushed = stage.querySelector(".pushed");
    pushed.textContent = number.value;
    pushed.classList.toggle("used", number.value !== "0");
    const at = values.indexOf(number.value);
    less.ariaDisabled = String(at === 0); // and not disabled, which would take the focus away
    more.ariaDisabled = String(at === values.length - 1);
  };
  const push = (way) => {
    number.value = values[values.indexOf(number.value) + way] ?? number.value;
    show();
  };
  less.addEventListener("click", () => push(-1));
  more.addEventListener("click", () => push(1));
  choosing(drawing, (chosen) => {
    word = Number(chosen);
    show();
  });
  sizing().observe(drawing.querySelector("svg"));
});
