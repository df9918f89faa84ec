import type { ReactNode } from 'react'
import { describeLineProblem, describeProblem } from '../../../../parts/describe-problem.ts'
import { InlineCode } from '../../../../parts/InlineCode.tsx'
import { type Json, valueAt } from '../../document/json.ts'
import type { FlowProblem } from '../../problems/problem.ts'
import { useForm } from '../form-subject.ts'
import { describeBounds, titleOf, titleWithin } from '../schema/field-words.ts'
import { pathText } from '../schema/path-text.ts'
import type { FieldProps } from './field-props.ts'
import styles from './fields.module.css'

interface FieldState {
  readonly value: Json | undefined
  readonly change: (value: Json | undefined) => void
  readonly place: string
  readonly label: string
  readonly description: ReactNode
  readonly error: string | undefined
  readonly problems: readonly FlowProblem[]
}

/** The value of a field, its change handler and its texts. */
export function useField({ field, path, title = titleOf(field.name) }: FieldProps): FieldState {
  const form = useForm()
  const place = pathText(path)
  const value = valueAt(form.value, path)
  const problems = form.problems.get(place) ?? []
  const told = (severity: FlowProblem['severity']) =>
    problems.filter((it) => it.severity === severity).map((it) => wordsOf(it, place))
  const errors = told('error')
  const warnings = told('warning')
  const bounds = describeBounds(field.shape, value)
  const hasHelp = field.description !== '' || bounds !== '' || warnings.length > 0
  return {
    value,
    change: (wanted) => form.change(path, wanted, titleWithin(field.name)),
    place,
    label: title,
    description: hasHelp ? (
      <Help text={[field.description, bounds].filter((it) => it !== '').join(' ')} warnings={warnings} />
    ) : undefined,
    error: errors.length === 0 ? undefined : errors.join(' '),
    problems,
  }
}

/** Below a field of several lines, a problem names its line. */
function wordsOf(problem: FlowProblem, place: string): string {
  const inner = problem.path.slice(place.length)
  if (inner === '') return describeProblem(problem)
  if (/^\[\d+\]$/.test(inner)) return describeLineProblem(problem)
  return `${inner.replace(/^\./, '')}: ${problem.message}.`
}

/** The help text of a field; text between backticks is code. */
function Help({ text, warnings }: { text: string; warnings: readonly string[] }) {
  return (
    <>
      <InlineCode text={text} className={styles['code']} />
      {warnings.map((warning) => (
        <span key={warning} className={styles['warning']}>
          {warning}
        </span>
      ))}
    </>
  )
}
