import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { describeDuration } from '../../time/describe-time.ts'
import { stepQuery, type TracedStep, traceQuery } from '../executions/execution-queries.ts'
import { stepWords } from '../executions/execution-words.ts'
import styles from './ComparePage.module.css'
import { diffLines, type Pair, pairSteps, secondsOf } from './compare-runs.ts'
import { readCompareSearch } from './compare-search.ts'

const route = getRouteApi('/executions/compare')

/** Compares two executions step by step. */
export function ComparePage() {
  const { a = '', b = '' } = readCompareSearch({ ...route.useSearch() })
  if (a === '' || b === '') {
    return (
      <Page title="Compare executions">
        <Surface>
          <EmptyState
            sentence="Select two executions in the list, then compare them."
            action={
              <Button
                size="compact-sm"
                variant="default"
                renderRoot={(props) => <Link to="/executions" {...props} />}
              >
                Open executions
              </Button>
            }
            link={<a href={apiReferencePath}>Read traces through the API</a>}
          />
        </Surface>
      </Page>
    )
  }
  return <Comparison a={a} b={b} />
}

function Comparison({ a, b }: { a: string; b: string }) {
  const api = useApi()
  const left = useApiQuery(traceQuery(api, { execution: a }))
  const right = useApiQuery(traceQuery(api, { execution: b }))
  const failure = left.failure ?? right.failure
  const pairs =
    left.data === undefined || right.data === undefined ? undefined : pairSteps(left.data, right.data)
  return (
    <Page
      title="Compare executions"
      lead={
        <>
          <Link to="/executions/$execution" params={{ execution: a }}>
            {left.data?.flow_label ?? 'Execution'} {a.slice(-6)}
          </Link>{' '}
          (left) and{' '}
          <Link to="/executions/$execution" params={{ execution: b }}>
            {right.data?.flow_label ?? 'Execution'} {b.slice(-6)}{' '}
          </Link>{' '}
          (right).
        </>
      }
    >
      {failure !== null && pairs === undefined ? (
        <FailureNotice
          what="One of the executions could not be loaded."
          error={failure}
          onRetry={() => void Promise.all([left.refetch(), right.refetch()])}
        />
      ) : (
        <Surface>
          <Table label="Steps of both" columns={columns} rows={pairs} rowKey={({ step }) => step} />
        </Surface>
      )}
      {pairs
        ?.filter((pair) => pair.left?.state === 'completed' && pair.right?.state === 'completed')
        .map(({ step }) => (
          <OutputPair key={step} step={step} a={a} b={b} />
        ))}
    </Page>
  )
}

const columns: ReadonlyArray<Column<Pair>> = [
  { title: 'Step', value: ({ step }) => step, cell: ({ step }) => step },
  { title: 'Left', value: ({ left }) => stateWord(left), cell: ({ left }) => <State step={left} /> },
  { title: 'Right', value: ({ right }) => stateWord(right), cell: ({ right }) => <State step={right} /> },
  { title: 'Duration', numeric: true, cell: ({ left, right }) => both(left, right, describeTime) },
  {
    title: 'Tokens',
    numeric: true,
    minor: true,
    cell: ({ left, right }) => both(left, right, describeTokens),
  },
  { title: 'Cost', numeric: true, minor: true, cell: ({ left, right }) => both(left, right, describeCost) },
]

function stateWord(step: TracedStep | undefined): string | null {
  return step === undefined ? null : stepWords[step.state].word
}

function State({ step }: { step: TracedStep | undefined }) {
  return step === undefined ? '–' : <Status {...stepWords[step.state]} />
}

function both(
  left: TracedStep | undefined,
  right: TracedStep | undefined,
  describe: (step: TracedStep | undefined) => string,
): string {
  const [one, other] = [describe(left), describe(right)]
  return one === other ? one : `${one} → ${other}`
}

function describeTime(step: TracedStep | undefined): string {
  const seconds = secondsOf(step)
  return seconds === undefined ? '–' : describeDuration(seconds)
}

function describeTokens(step: TracedStep | undefined): string {
  return step === undefined ? '–' : (step.input_tokens + step.output_tokens).toLocaleString()
}

function describeCost(step: TracedStep | undefined): string {
  return step === undefined || (step.unpriced && step.cost === 0)
    ? '–'
    : describeDollars(Math.round(step.cost * 1e6))
}

/** The diff of a step's output in two executions. */
function OutputPair({ step, a, b }: { step: string; a: string; b: string }) {
  const api = useApi()
  const left = useQuery(stepQuery(api, { execution: a, step, item: 0 })).data
  const right = useQuery(stepQuery(api, { execution: b, step, item: 0 })).data
  if (left === undefined || right === undefined) return null
  const [before, after] = [textOf(left.output), textOf(right.output)]
  if (before === after) return null
  return (
    <Section title={step} note="output">
      <pre className={styles['diff']} tabIndex={0} role="region" aria-label={`Output of ${step} in both`}>
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
