import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  pickedCompletion,
} from '@codemirror/autocomplete'
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
import type { JsonPath } from '../document/json.ts'
import generated from '../form/flow-schema.generated.json'
import type { Known } from '../form/paths/suggestions.ts'
import type { Schema } from '../form/schema/read-shape.ts'
import { roleAt } from '../form/schema/roles.ts'
import { type Choice, choicesAt, pathsAt } from './code-choices.ts'
import { type CodePlace, codePlaceAt } from './code-place.ts'
import { codeIn, stepAt } from './json-tree.ts'

interface CodeWays {
  /** The data for completions. */
  readonly read: () => Known
  /** Receives the step the cursor moved into; undefined outside of steps. */
  readonly onStep: (id: string | undefined) => void
}

interface CodeExtensions {
  readonly extensions: Extension
  /** Clears the undo history of the text: from here on, the history of the flow covers it. */
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
      // Lowest precedence: the listeners that parse the text run first, so that a step has its current ID.
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
 * The text has its own undo while it is not a valid flow; all other changes are undone by the history of the flow
 * editor.
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
  // Braces inside are no path, so the expression never backtracks.
  regexp: /\{\{[^{}]*\}\}/g,
  decoration: Decoration.mark({ class: 'cm-filled' }),
})

interface Marked extends PluginValue {
  marks: DecorationSet
}

/** Highlights `{{path}}`. */
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

/** The code fills its pane, and its highlights match the console. */
const codeLooks = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--text-dense)' },
  '.cm-scroller': { overflow: 'auto', lineHeight: '1.5' },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer' },
  // A triangle of CSS borders, because not every font has the character.
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

const flowSchema: Schema = generated.flow

/** Completes names and values from the API schema, and placeholders in texts. */
function completeCode(read: () => Known): Extension {
  return autocompletion({
    override: [(at) => complete(at, read())],
    icons: false,
    // Enter right after the list appears accepts the choice: a line break would only break the text.
    interactionDelay: 0,
    // Accepting a name with a fixed set of values opens the list of these values.
    activateOnCompletion: ({ detail = '' }) => /^(?:choice|true or false)/.test(detail),
  })
}

function complete(at: CompletionContext, known: Known): CompletionResult | null {
  const code = codeIn(at.state)
  const place = codePlaceAt(code, at.pos)
  if (place === undefined) return null
  if (place.isQuoted && place.kind === 'value') {
    const written = at.state.sliceDoc(place.from + 1, at.pos)
    const opened = /\{\{\s*([^{}]*)$/.exec(written)?.[1]
    const paths = () => pathsAt(code, place.path, known)
    if (opened !== undefined) return completePaths(paths(), at.pos - opened.length, '}}')
    if (isPath(place.path)) return completePaths(paths(), place.from + 1, '')
  }
  if (!place.isQuoted && place.from === place.to && !at.explicit) return null
  const choices = choicesAt(code, place, flowSchema, known.document)
  if (choices.length === 0) return null
  return {
    from: place.isQuoted ? place.from + 1 : place.from,
    validFor: /^[\w.-]*$/,
    options: choices.map((choice) => completionOf(choice, place)),
  }
}

function isPath([head, , ...rest]: JsonPath): boolean {
  return head === 'steps' && roleAt(rest) === 'path'
}

function completePaths(
  paths: readonly { readonly path: string; readonly from: string }[],
  from: number,
  closing: string,
): CompletionResult {
  return {
    from,
    validFor: /^[^{}"]*$/,
    options: paths.map(({ path, from: origin }, index) => ({
      label: path,
      detail: origin,
      // Keeps the given order: the nearest first.
      boost: -Math.min(index, 99),
      apply: (view, completion, start, end) => {
        const isClosed =
          closing !== '' &&
          view.state
            .sliceDoc(end, end + 8)
            .trimStart()
            .startsWith(closing)
        const insert = JSON.stringify(`${path}${isClosed ? '' : closing}`).slice(1, -1)
        write(view, completion, { from: start, to: end, insert, cursor: insert.length + (isClosed ? 2 : 0) })
      },
    })),
  }
}

function completionOf({ label, detail, info, begins }: Choice, { kind }: CodePlace): Completion {
  const shown = kind === 'name' || !label.startsWith('"') ? label : String(JSON.parse(label))
  return {
    label: shown,
    detail,
    ...(info === '' ? {} : { info }),
    apply: (view, completion, _from, to) => {
      const place = codePlaceAt(codeIn(view.state), to)
      if (place === undefined) return
      if (kind === 'value') {
        write(view, completion, { from: place.from, to: place.to, insert: label, cursor: label.length })
        return
      }
      const name = JSON.stringify(label)
      const after = view.state.sliceDoc(place.to, place.to + 2_000).trimStart()
      if (after.startsWith(':')) {
        write(view, completion, { from: place.from, to: place.to, insert: name, cursor: name.length })
        return
      }
      const insert = `${name}: ${begins}`
      const isWithin = begins === '""' || begins === '[]' || begins === '{}'
      write(view, completion, {
        from: place.from,
        to: place.to,
        insert: after.startsWith('"') ? `${insert},` : insert,
        cursor: insert.length - (isWithin ? 1 : 0),
      })
    },
  }
}

function write(
  view: EditorView,
  completion: Completion,
  {
    from,
    to,
    insert,
    cursor,
  }: { readonly from: number; readonly to: number; readonly insert: string; readonly cursor: number },
): void {
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + cursor },
    annotations: pickedCompletion.of(completion),
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
}
