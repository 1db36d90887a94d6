// The editor of a page's code cells, for which this is bundled with CodeMirror.
import { defaultKeymap, history, historyKeymap, indentMore, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const INDENTED = "    ";
const NEAR = 16; // pixels
const NARROW = "(max-width: 599.98px)"; // where a long line would scroll all others away
const MARK = Decoration.line({ class: "is-named" });
const marking = StateEffect.define(); // of the numbers of lines
const marks = StateField.define({ // until something is typed
  create: () => Decoration.none,
  update(former, { docChanged, effects, state: { doc } }) {
    const asked = effects.find((each) => each.is(marking));
    if (asked) return Decoration.set(asked.value.map((line) => MARK.range(doc.line(line).from)), true);
    return docChanged ? Decoration.none : former;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// Puts an editor into a place. label: how it is called; byHand: whether a pointer led there: whoever comes by the Tab key goes
// on with it, until something is typed; run(): on Shift + Enter; changed(text): after every key.
export function edit(place, { text, anchor, head, label, byHand, run, changed }) {
  let isPressed = byHand;
  const pressed = (_, view) => {
    isPressed = true;
    view.setTabFocusMode(false);
  };
  const asked = () => (run(), true);
  const keys = [{ key: "Shift-Enter", run: asked }, { key: "Ctrl-Enter", mac: "Cmd-Enter", run: asked }, { key: "Escape", run: leave }];
  const extensions = [
    Prec.highest(keymap.of(keys)),
    matchMedia(NARROW).matches ? EditorView.lineWrapping : [],
    keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap]),
    marks, history(), pythonLanguage, indentUnit.of(INDENTED), indentOnInput(), bracketMatching(), syntaxHighlighting(classHighlighter),
    EditorView.contentAttributes.of({ "aria-label": label, autocapitalize: "off", autocorrect: "off", spellcheck: "false" }),
    EditorView.domEventHandlers({
      pointerdown: pressed,
      focus: (_, view) => view.setTabFocusMode(!isPressed),
      blur: () => { isPressed = false; },
    }),
    EditorView.updateListener.of(({ docChanged, state, view }) => {
      if (!docChanged) return;
      view.setTabFocusMode(false);
      changed(state.doc.toString());
    }),
  ];
  const state = EditorState.create({ doc: text, selection: { anchor, head }, extensions });
  const view = new EditorView({ state, parent: place });
  return {
    get text() { return view.state.doc.toString(); },
    set text(wanted) { view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: wanted } }); },
    focus: () => view.focus(),
    insert: (typed) => view.dispatch(view.state.replaceSelection(typed), { userEvent: "input.type" }),
    indent: () => (view.state.selection.main.empty ? view.dispatch(view.state.replaceSelection(INDENTED)) : indentMore(view)),
    showHand(below) { // above so many pixels that something covers
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { yMargin: below + NEAR }) });
    },
    mark: (lines) => view.dispatch({ effects: marking.of(lines) }),
    goTo(line) {
      view.dispatch({ selection: { anchor: view.state.doc.line(line).to }, scrollIntoView: true });
      view.focus();
    },
  };
}

// After Escape the Tab key leaves, as it does where nothing is indented.
const leave = (view) => {
  view.setTabFocusMode(2000);
  return true;
};
