// Runs before all else, in any browser, however old: no page stays white without a sentence and a way on.
(function () {
  var lesson = (/[?&]path=(\w+)\.ipynb/.exec(location.search) || [])[1];
  var page = "../../" + (lesson || "index") + ".html";

  // isTheEnd: whether nothing else can be shown. file: a notebook to open, if it is about one.
  function say(text, isTheEnd, file) {
    var note = document.getElementById("course-note");
    if (note && note.className === "end") return;
    if (!note) {
      note = document.createElement("div");
      note.id = "course-note";
      note.setAttribute("role", "alert");
      (document.body || document.documentElement).appendChild(note);
    }
    note.className = isTheEnd ? "end" : "";
    note.textContent = "";
    note.appendChild(document.createElement("p")).textContent = text;
    var ways = note.appendChild(document.createElement("p"));
    if (isBlocked()) link(ways, location.href, "Open it in a tab of its own").target = "_blank";
    if (file) link(ways, "?path=" + encodeURIComponent(file), "Open " + file);
    else link(ways, page, isBlocked() ? "Open the lesson's page" : lesson ? "Read this lesson without running it" : "Read the lessons without running them");
    button(ways, "Reload", function () { location.reload(); });
    if (!isTheEnd) button(ways, "Close", function () { note.parentNode.removeChild(note); });
  }

  function link(place, address, text) {
    var made = place.appendChild(document.createElement("a"));
    made.href = address;
    made.textContent = text;
    return made;
  }

  function button(place, text, act) {
    var made = place.appendChild(document.createElement("button"));
    made.type = "button";
    made.textContent = text;
    made.onclick = act;
  }

  function understands(code) {
    try {
      return Boolean(new Function("a", code));
    } catch (error) {
      return !error;
    }
  }

  function isOld() {
    return !window.WebAssembly || !window.Worker || !window.DecompressionStream || !understands("return a?.b ?? (a ||= 1n)");
  }

  // Whether the page may not even ask for what a browser stores; JupyterLab does so before all else.
  function isBlocked() {
    try {
      return !window.sessionStorage || !window.localStorage;
    } catch (error) {
      return Boolean(error);
    }
  }

  function whatIsWrong() {
    if (location.protocol === "file:") {
      return "A live lesson needs a server, for a browser runs no Python from a file. In the folder of the site, start "
        + "“python -m http.server” and open http://localhost:8000 in this browser.";
    }
    if (isOld()) {
      return "This browser is too old to run Python. Any Chrome, Edge, Firefox or Safari of the last two years can.";
    }
    if (isBlocked()) {
      return "A live lesson needs to store files in this browser, which does not let this page: it blocks all cookies, or "
        + "the page is shown inside another site's. Allow them for this page, open it in a tab of its own, or go on with the lesson's "
        + "page, which runs all the same and gives you your work as a file.";
    }
    return "";
  }

  window.sayOnPage = say;
  // Everything else then fails by itself, behind this sentence.
  function begin() {
    var wrong = whatIsWrong();
    if (wrong) say(wrong, true);
  }

  window.sayOnPage = say;
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin);
  window.addEventListener("error", function (event) {
    var file = event.target && (event.target.src || event.target.href);
    if (file) say("A file of this page did not load: " + file.split("/").pop() + ". Is the network there? Then reload.");
  }, true);
})();
