import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { Input } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { type Api, bodyOf } from '../../../../api/api.ts'
import { useApi } from '../../../../api/api-context.ts'
import { CodeMirror } from '../../../../editing/CodeMirror.tsx'
import type { Json, JsonObject, JsonPath } from '../../document/json.ts'
import { useEditing } from '../../use-flow-editor.ts'
import { useForm } from '../form-subject.ts'
import { variablesFor } from '../paths/variables.ts'
import { textWriting } from '../schema/typed-text.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'
import { useField } from './use-field.tsx'
import { usePathCompletions } from './use-path-completions.ts'
import { useTyped } from './use-typed.ts'

/** An expression, with its value for the data of the last test run and the sample input. */
export function ExpressionField({ isBare = false, ...props }: FieldProps) {
  const { field, path } = props
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, textWriting(field.isRequired), change)
  const id = useId()
  const completions = usePathCompletions(path)
  const told = JSON.stringify(completions.filter(({ value: it }) => isName.test(it)))
  const extensions = useMemo(() => completionOf(JSON.parse(told) as typeof completions), [told])
  return (
    <Input.Wrapper
      label={isBare ? undefined : label}
      labelElement="div"
      description={description}
      descriptionProps={{ id: `${id}-help` }}
      error={error}
      errorProps={{ id: `${id}-error` }}
    >
      <CodeMirror
        value={text}
        onChange={type}
        extensions={extensions}
        label={label}
        describedBy={`${id}-value ${error === undefined ? '' : `${id}-error`} ${id}-help`}
        isInvalid={error !== undefined}
        className={styles['expression']}
      />
      <p id={`${id}-value`} className={styles['evaluated']}>
        <Evaluated expression={text} path={path} />
      </p>
    </Input.Wrapper>
  )
}

/** A pause in typing sends one request. */
const pauseMs = 400

/** The value of an expression, or why it has none yet. */
function Evaluated({ expression, path }: { expression: string; path: JsonPath }) {
  const { state, sample, tried } = useEditing()
  const { step } = useForm()
  const api = useApi()
  const [settled] = useDebouncedValue(expression.trim(), pauseMs)
  const { document } = state
  const id = step?.step.id ?? ''
  const variables = useMemo(() => {
    const outputs = new Map([...(tried?.steps ?? [])].map(([name, { made }]) => [name, made]))
    return variablesFor({ document, sample, outputs }, id, { expression: settled, path })
  }, [document, sample, tried, id, settled, path])
  const { data } = useQuery({
    ...evaluationQuery(api, settled, variables ?? {}),
    enabled: settled !== '' && variables !== undefined,
  })
  if (settled === '' || data === undefined) return null
  const { value, problem } = data
  if (problem === null) return <code>= {shortened(JSON.stringify(value))}</code>
  if (problem.kind === 'missing') {
    return <>No value yet: {problem.message} Test the workflow, or add it to the sample input.</>
  }
  const at = problem.position === null ? '' : ` (character ${problem.position + 1})`
  return (
    <span className={styles['warning']}>
      {problem.message}
      {at}
    </span>
  )
}

const maxShown = 200

function shortened(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

function evaluationQuery(api: Api, expression: string, variables: JsonObject) {
  return queryOptions({
    queryKey: ['expressions', expression, variables],
    queryFn: async ({ signal }) => {
      const body = { expression, variables: variables as Record<string, Json> }
      const call = api.client.POST('/ai-workflows/api/flows/expressions/evaluate', { body, signal })
      return await bodyOf(call)
    },
    // The same expression has the same value, except for the time.
    staleTime: 60_000,
    retry: false,
  })
}

/** A path that an expression can write without brackets. */
const isName = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/

function completionOf(
  completions: readonly { readonly value: string; readonly about?: string | undefined }[],
) {
  return autocompletion({
    icons: false,
    interactionDelay: 0,
    override: [
      (at: CompletionContext): CompletionResult | null => {
        const word = at.matchBefore(/[A-Za-z_][\w.]*$/)
        if (word === null && !at.explicit) return null
        return {
          from: word?.from ?? at.pos,
          validFor: /^[\w.]*$/,
          options: completions.map(({ value, about = '' }, index) => ({
            label: value,
            detail: about,
            boost: -Math.min(index, 99),
          })),
        }
      },
    ],
  })
}
