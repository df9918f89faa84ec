import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { EditorState, type Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { placeholdersIn } from './placeholders.ts'
import { describeUnfilled, type Filling } from './unfilled.ts'

/** Text in which `{{` completes paths; filled and unfilled placeholders are highlighted. */
export function templateExtensions(filling: Filling, { isLine }: { readonly isLine: boolean }): Extension {
  return [
    autocompletion({ override: [(at) => completePath(at, filling)], icons: false, interactionDelay: 0 }),
    markPlaceholders(filling),
    looks,
    isLine ? oneLine : [],
  ]
}

function completePath(at: CompletionContext, { suggestions }: Filling): CompletionResult | null {
  const opened = at.matchBefore(/\{\{[^{}]*$/)
  if (opened === null) return null
  const from = opened.from + (/^\{\{\s*/.exec(opened.text)?.[0].length ?? 2)
  return {
    from,
    validFor: /^[^{}]*$/,
    options: suggestions.map(({ path, from: origin }, index) => ({
      label: path,
      detail: origin,
      // As they are given: the nearest first.
      boost: -Math.min(index, 99),
      apply: (view, _completion, start, end) => {
        const isClosed = /^\s*\}\}/.test(view.state.sliceDoc(end, end + 8))
        const insert = isClosed ? path : `${path}}}`
        view.dispatch({
          changes: { from: start, to: end, insert },
          selection: { anchor: start + path.length + 2 },
          userEvent: 'input.complete',
        })
      },
    })),
  }
}

function markPlaceholders(filling: Filling): Extension {
  const look = (view: EditorView): DecorationSet =>
    Decoration.set(
      placeholdersIn(view.state.doc.toString()).map(({ path, from, to }) => {
        const why = describeUnfilled(path, filling)
        return Decoration.mark(
          why === undefined ? { class: 'cm-filled' } : { class: 'cm-unfilled', attributes: { title: why } },
        ).range(from, to)
      }),
    )
  return ViewPlugin.define(
    (view) => ({
      seen: look(view),
      update(update: ViewUpdate) {
        if (update.docChanged) this.seen = look(update.view)
      },
    }),
    { decorations: ({ seen }) => seen },
  )
}

/** Pasted line breaks become spaces, and Enter does nothing. */
const oneLine = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || !transaction.isUserEvent('input')) return transaction
  const changes: { from: number; to: number; insert: string }[] = []
  let hasLines = false
  transaction.changes.iterChanges((from, to, _newFrom, _newTo, inserted) => {
    hasLines ||= inserted.lines > 1
    changes.push({ from, to, insert: inserted.toString().replaceAll(/\s*\n\s*/g, ' ') })
  })
  const [first] = changes
  if (!hasLines || first === undefined) return transaction
  if (changes.every(({ insert }) => insert.trim() === '')) return []
  return { changes, selection: { anchor: first.from + first.insert.length }, userEvent: 'input.paste' }
})

const looks = EditorView.theme({
  '.cm-filled': { color: 'var(--accent)', fontWeight: 'var(--weight-strong)' },
  '.cm-unfilled': {
    color: 'var(--warn)',
    textDecoration: 'underline dotted',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: '240px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px' },
  '.cm-completionDetail': { color: 'var(--text-soft)', fontStyle: 'normal' },
})
