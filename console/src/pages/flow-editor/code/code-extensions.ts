import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { history, redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { lintGutter } from '@codemirror/lint'
import { Compartment, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import type { Known } from '../form/paths/suggestions.ts'
import { codeIn } from './code-in.ts'
import { codeLooks } from './code-looks.ts'
import { completeCode } from './complete-code.ts'
import { stepAt } from './json-tree.ts'
import { markPlaceholders } from './mark-placeholders.ts'

interface CodeWays {
  /** What is known of the flow, for completing. */
  readonly read: () => Known
  /** Told the step that somebody moved the cursor into; undefined outside of steps. */
  readonly onStep: (id: string | undefined) => void
}

/** What the code view can besides text. */
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
 * the flow, which whoever keeps the flow takes back.
 */
const undoOfText = [
  { key: 'Mod-z', run: (view: EditorView) => undoDepth(view.state) > 0 && undo(view), stopPropagation: true },
  ...['Mod-y', 'Mod-Shift-z'].map((key) => ({
    key,
    run: (view: EditorView) => redoDepth(view.state) > 0 && redo(view),
    stopPropagation: true,
  })),
]
