import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { EditorState, type Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { Input } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useRef } from 'react'
import { useApi } from '../../../../api/api-context.ts'
import { CodeMirror } from '../../../../editing/CodeMirror.tsx'
import { entryChoicesQuery } from '../../../connections/connection-calls.ts'
import type { JsonPath } from '../../document/json.ts'
import { useForm } from '../form-subject.ts'
import { placeholdersIn } from '../paths/placeholders.ts'
import { describeUnfilled, type Filling, unfilledIn } from '../paths/suggestions.ts'
import { suggestionsAt } from '../paths/suggestions-at.ts'
import type { Shape } from '../schema/shape.ts'
import { describeKind, jsonWriting, scalarWriting, textWriting, type Writing } from '../schema/typed-text.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

interface TemplateFieldProps extends FieldProps {
  readonly isLine: boolean
}

/** Text with placeholders: `{{` completes them, and unfilled ones are reported. */
export function TemplateField({ isLine, isBare = false, ...props }: TemplateFieldProps) {
  const { field, path } = props
  const { step } = useForm()
  const { value, change, label, description, error } = useField(props)
  const writing = useMemo(() => writingOf(field.shape, field.isRequired), [field.shape, field.isRequired])
  const { text, type } = useTyped(value, writing, change)
  const id = useId()
  const view = useRef<EditorView>(null)
  const secrets = useSecretNames(path)
  const filling = {
    suggestions: [...(step === null ? [] : suggestionsAt(step.step, path, step)), ...suggestionsOf(secrets)],
    keys: step?.memoryKeys ?? [],
    secrets,
  }
  const extensions = useSteady(filling, isLine)
  const unfilled = unfilledIn(text, filling)
  const isJson = field.shape.kind === 'json' && value !== undefined
  const help = (
    <>
      {description} {isJson ? `Parsed as ${describeKind(value)}.` : ''}
      {unfilled.map((sentence) => (
        <span key={sentence} className={styles['warning']}>
          {sentence}
        </span>
      ))}
    </>
  )
  const hasHelp = description !== undefined || unfilled.length > 0 || isJson
  return (
    <Input.Wrapper
      id={id}
      label={isBare ? undefined : label}
      labelElement="div"
      labelProps={{ onClick: () => view.current?.focus() }}
      description={hasHelp ? help : undefined}
      error={error}
    >
      <CodeMirror
        value={text}
        onChange={type}
        extensions={extensions}
        label={label}
        describedBy={describedBy(id, { hasHelp, hasError: error !== undefined })}
        isInvalid={error !== undefined}
        className={isLine ? styles['line'] : path[0] === 'prompt' ? styles['prompt'] : styles['template']}
        onView={(made) => {
          view.current = made
        }}
      />
    </Input.Wrapper>
  )
}

/** The names of the secrets that a field can use; null when they are unknown, undefined when it can use none. */
function useSecretNames([first]: JsonPath): Filling['secrets'] {
  const isCall = first === 'api'
  const { data } = useQuery({ ...entryChoicesQuery(useApi(), 'secret'), enabled: isCall })
  return isCall ? (data?.entries.map(({ name }) => name) ?? null) : undefined
}

function suggestionsOf(secrets: Filling['secrets']): Filling['suggestions'] {
  return (secrets ?? []).map((name) => ({ path: `secrets.${name}`, from: 'secret', isBrought: false }))
}

/** Keeps the extensions while their data is equal: most changes elsewhere in the flow do not affect them. */
function useSteady(filling: Parameters<typeof templateExtensions>[0], isLine: boolean) {
  const told = JSON.stringify(filling)
  return useMemo(() => templateExtensions(JSON.parse(told) as typeof filling, { isLine }), [told, isLine])
}

function describedBy(id: string, { hasHelp, hasError }: { hasHelp: boolean; hasError: boolean }) {
  const ids = [hasError ? `${id}-error` : '', hasHelp ? `${id}-description` : ''].filter((it) => it !== '')
  return ids.length === 0 ? undefined : ids.join(' ')
}

function writingOf(shape: Shape, isRequired: boolean): Writing {
  if (shape.kind === 'json') return jsonWriting
  if (shape.kind === 'scalar') return scalarWriting(new Set(shape.of.map(({ kind }) => kind)), isRequired)
  return textWriting(isRequired)
}

/** Text in which `{{` completes paths; filled and unfilled placeholders are highlighted. */
function templateExtensions(filling: Filling, { isLine }: { readonly isLine: boolean }): Extension {
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
      // Keeps the given order: the nearest first.
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
