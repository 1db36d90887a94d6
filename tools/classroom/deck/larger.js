// The larger switch, for the last row: everything grows, and what then has no room is scrolled to.
const LARGER = [1.6, 1.5, 1.4, 1.3, 1.2, 1.1]; // the first that is not wider than the screen
const WAYS = { ArrowDown: 1, PageDown: 1, " ": 1, ArrowUp: -1, PageUp: -1 };
const larger = document.querySelector(".larger-switch button"), more = document.querySelector(".larger-switch span");
const isLarger = () => larger.ariaPressed === "true";

function restore(slide) {
  slide.classList.remove("is-larger");
  slide.style.setProperty("--larger", 1);
  slide.style.setProperty("--code-lines", slide.dataset.codeLines);
}

function enlarge(slide) {
  slide.classList.add("is-larger");
  slide.style.setProperty("--code-lines", "pre-wrap");
  LARGER.some((factor) => {
    slide.style.setProperty("--larger", factor);
    return !isWide(slide);
  });
  slide.scrollTop = 0;
}

function room(slide, way) {
  return way > 0 ? slide.scrollHeight - slide.clientHeight - slide.scrollTop : slide.scrollTop;
}

function show() {
  const slide = Reveal.getCurrentSlide();
  document.querySelectorAll(".is-larger").forEach(restore);
  if (isLarger()) enlarge(slide);
  slide.onscroll = tell;
  tell();
}

function tell() {
  more.textContent = isLarger() && room(Reveal.getCurrentSlide(), 1) > 1 ? "more below: ↓" : "";
}

function toggle() {
  larger.ariaPressed = String(!isLarger());
  show();
}

// Scroll as long as there is more, and only then go to another slide.
function scrollFirst(event) {
  const slide = Reveal.getCurrentSlide(), way = WAYS[event.key];
  if (!way || !isLarger() || event.target === larger || room(slide, way) <= 1) return;
  slide.scrollBy(0, way * 0.8 * slide.clientHeight);
  tell();
  event.preventDefault();
  event.stopPropagation();
}

function startLarger() {
  larger.onclick = toggle;
  larger.onkeydown = (event) => event.key === " " && event.stopPropagation();
  addEventListener("keydown", scrollFirst, true);
  Reveal.addKeyBinding({ keyCode: 65, key: "A", description: "Larger" }, toggle);
  Reveal.on("slidechanged", show);
}
