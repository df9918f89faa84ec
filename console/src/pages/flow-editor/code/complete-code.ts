import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { JsonPath } from '../document/json.ts'
import generated from '../form/flow-schema.generated.json'
import type { Known } from '../form/paths/suggestions.ts'
import type { Schema } from '../form/schema/read-shape.ts'
import { roleAt } from '../form/schema/roles.ts'
import { type Choice, choicesAt, pathsAt } from './code-choices.ts'
import { type CodePlace, codePlaceAt } from './code-place.ts'
import { codeIn } from './json-tree.ts'

const flowSchema: Schema = generated.flow

/** Completes names and values as the interface takes them, and placeholders in texts. */
export function completeCode(read: () => Known): Extension {
  return autocompletion({
    override: [(at) => complete(at, read())],
    icons: false,
    // Enter right after the list appears accepts the choice: a line break would only break the text.
    interactionDelay: 0,
    // A name with a value to choose is followed by the choice.
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
      // As they are given: the nearest first.
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
