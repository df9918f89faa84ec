import { Button } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { describeDuration } from '../../time/describe-time.ts'
import type { TracedStep } from '../executions/execution-bodies.ts'
import { traceQuery } from '../executions/execution-queries.ts'
import { stepWords } from '../executions/execution-words.ts'
import { type Pair, pairSteps, secondsOf } from './compare-runs.ts'
import { readCompareSearch } from './compare-search.ts'
import { OutputPair } from './OutputPair.tsx'

const route = getRouteApi('/executions/compare')

/** Two executions beside each other, step by step. */
export function ComparePage() {
  const { a = '', b = '' } = readCompareSearch({ ...route.useSearch() })
  if (a === '' || b === '') {
    return (
      <Page title="Compare executions">
        <Surface>
          <EmptyState
            sentence="Choose two executions in the list, then compare them."
            action={
              <Button
                size="compact-sm"
                variant="default"
                renderRoot={(props) => <Link to="/executions" {...props} />}
              >
                Go to the list
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
  const left = useAnswer(traceQuery(api, { execution: a }))
  const right = useAnswer(traceQuery(api, { execution: b }))
  const failure = left.failure ?? right.failure
  const pairs =
    left.data === undefined || right.data === undefined ? undefined : pairSteps(left.data, right.data)
  return (
    <Page
      title="Compare executions"
      lead={
        <>
          <Link to="/executions/$execution" params={{ execution: a }}>
            {left.data?.flow_label ?? 'The first'} {a.slice(-6)}
          </Link>{' '}
          at the left,{' '}
          <Link to="/executions/$execution" params={{ execution: b }}>
            {right.data?.flow_label ?? 'the second'} {b.slice(-6)}
          </Link>{' '}
          at the right.
        </>
      }
    >
      {failure !== null && pairs === undefined ? (
        <FailureNotice
          what="One of them could not be read."
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
  { title: 'Step', cell: ({ step }) => step },
  { title: 'Left', cell: ({ left }) => <State step={left} /> },
  { title: 'Right', cell: ({ right }) => <State step={right} /> },
  { title: 'Time', numeric: true, cell: ({ left, right }) => both(left, right, describeTime) },
  {
    title: 'Tokens',
    numeric: true,
    minor: true,
    cell: ({ left, right }) => both(left, right, describeTokens),
  },
  { title: 'Cost', numeric: true, minor: true, cell: ({ left, right }) => both(left, right, describeCost) },
]

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
