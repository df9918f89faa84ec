import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { history, redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { lintGutter } from '@codemirror/lint'
import { Compartment, type Extension, Prec } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  lineNumbers,
  MatchDecorator,
  type PluginValue,
  ViewPlugin,
} from '@codemirror/view'
import type { Known } from '../form/paths/suggestions.ts'
import { completeCode } from './complete-code.ts'
import { codeIn, stepAt } from './json-tree.ts'

interface CodeWays {
  /** What is known of the flow, for completing. */
  readonly read: () => Known
  /** Receives the step the cursor moved into; undefined outside of steps. */
  readonly onStep: (id: string | undefined) => void
}

/** The extensions of the code view. */
interface CodeExtensions {
  readonly extensions: Extension
  /** Forgets what undo would take back inside of the text: from here on it is the flow's. */
  readonly forgetUndo: (view: EditorView) => void
}

export function createCodeExtensions({ read, onStep }: CodeWays): CodeExtensions {
  const past = new Compartment()
  return {
    extensions: [
      json(),
      lineNumbers(),
      codeFolding(),
      foldGutter({ markerDOM: drawFold }),
      lintGutter(),
      bracketMatching(),
      closeBrackets(),
      indentOnInput(),
      markPlaceholders,
      codeLooks,
      completeCode(read),
      keymap.of([...closeBracketsKeymap, ...foldKeymap, ...undoOfText]),
      past.of(history()),
      // After those who read the text, so that a step is known by the id it has now.
      Prec.lowest(
        EditorView.updateListener.of(({ transactions, state }) => {
          if (transactions.some((it) => byHand.some((kind) => it.isUserEvent(kind)))) {
            onStep(stepAt(codeIn(state), state.selection.main.head))
          }
        }),
      ),
    ],
    forgetUndo(view) {
      view.dispatch({ effects: past.reconfigure([]) })
      view.dispatch({ effects: past.reconfigure(history()) })
    },
  }
}

function drawFold(isOpen: boolean): HTMLElement {
  const sign = document.createElement('span')
  sign.className = isOpen ? 'cm-fold' : 'cm-fold cm-fold-closed'
  sign.title = isOpen ? 'Fold' : 'Unfold'
  return sign
}

const byHand = ['select', 'input', 'delete', 'move']

/**
 * What was typed since the text was last a flow of its own is taken back here, key by key; everything else is a change of
 * the flow, which the flow editor's own history undoes.
 */
const undoOfText = [
  { key: 'Mod-z', run: (view: EditorView) => undoDepth(view.state) > 0 && undo(view), stopPropagation: true },
  ...['Mod-y', 'Mod-Shift-z'].map((key) => ({
    key,
    run: (view: EditorView) => redoDepth(view.state) > 0 && redo(view),
    stopPropagation: true,
  })),
]

const decorator = new MatchDecorator({
  // Braces inside are no path, so the search never looks back.
  regexp: /\{\{[^{}]*\}\}/g,
  decoration: Decoration.mark({ class: 'cm-filled' }),
})

interface Marked extends PluginValue {
  marks: DecorationSet
}

/** Makes `{{path}}` stand out from the text around it. */
const markPlaceholders: Extension = [
  ViewPlugin.define<Marked>(
    (view) => ({
      marks: decorator.createDeco(view),
      update(update) {
        this.marks = decorator.updateDeco(update, this.marks)
      },
    }),
    { decorations: ({ marks }) => marks },
  ),
  EditorView.theme({
    '.cm-filled': { color: 'var(--accent)', fontWeight: 'var(--weight-strong)' },
  }),
]

/** The code fills its place, and what is marked in it looks like the rest of the console. */
const codeLooks = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--text-dense)' },
  '.cm-scroller': { overflow: 'auto', lineHeight: '1.5' },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer' },
  // Drawn, because not every font has such a sign.
  '.cm-fold': {
    display: 'inline-block',
    margin: '0 4px 2px',
    border: '4px solid transparent',
    borderTopColor: 'currentColor',
    borderBottomWidth: '0',
  },
  '.cm-fold-closed': { transform: 'rotate(-90deg)' },
  '.cm-foldPlaceholder': {
    padding: '0 4px',
    border: '1px solid var(--line-strong)',
    backgroundColor: 'var(--hover)',
    color: 'var(--text-soft)',
  },
  '&.cm-focused .cm-matchingBracket': {
    outline: '1px solid var(--line-strong)',
    backgroundColor: 'var(--accent-soft)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { outline: '1px solid var(--bad)', backgroundColor: 'transparent' },
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
  '.cm-diagnostic': { padding: '4px 8px', fontFamily: 'inherit', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
})
