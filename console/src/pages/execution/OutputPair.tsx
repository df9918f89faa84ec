import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { Section } from '../../parts/Section.tsx'
import { stepQuery } from '../executions/execution-queries.ts'
import { diffLines } from './diff-lines.ts'
import styles from './OutputPair.module.css'

/** What one step made in two executions, line by line, where it is not the same. */
export function OutputPair({ step, a, b }: { step: string; a: string; b: string }) {
  const api = useApi()
  const left = useQuery(stepQuery(api, { execution: a, step, item: 0 })).data
  const right = useQuery(stepQuery(api, { execution: b, step, item: 0 })).data
  if (left === undefined || right === undefined) return null
  const [before, after] = [textOf(left.output), textOf(right.output)]
  if (before === after) return null
  return (
    <Section title={step} note="what it made">
      <pre className={styles['diff']} tabIndex={0} role="region" aria-label={`What ${step} made in both`}>
        {diffLines(before, after).map(({ kind, text, place }) => (
          <span key={place} data-kind={kind}>
            {marks[kind]} {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </Section>
  )
}

const marks = { same: ' ', left: '−', right: '+' } as const

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2)
}
