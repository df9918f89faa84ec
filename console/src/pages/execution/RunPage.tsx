import { Button, NativeSelect } from '@mantine/core'
import '../../theme/mantine-form.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { describeDollars } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Meter } from '../../parts/Meter.tsx'
import { Page } from '../../parts/Page.tsx'
import { PageTabs } from '../../parts/PageTabs.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { describeDuration } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import {
  type ExecutionStatus,
  executionStatusQuery,
  type Trace,
  traceQuery,
} from '../executions/execution-queries.ts'
import { describeExecution, isUnderWay } from '../executions/execution-words.ts'
import { GanttChart } from './GanttChart.tsx'
import { ganttOf } from './gantt.ts'
import { Recovery } from './Recovery.tsx'
import styles from './RunPage.module.css'
import { DecisionsTab, LogTab } from './RunTabs.tsx'
import { type RunSearch, readRunSearch } from './run-search.ts'
import { StepPanel } from './StepPanel.tsx'
import { useLiveRun } from './use-live-run.ts'
import { InputTab, ResultTab } from './ValueTabs.tsx'

const StepGraph = lazyPart(() => import('../../graph/StepGraph.tsx'))
const route = getRouteApi('/executions/$execution')

/** One execution: its graph beside its Gantt chart, and the details of the selected step. */
export function RunPage() {
  const { execution } = route.useParams()
  const { item = 0 } = readRunSearch({ ...route.useSearch() })
  const api = useApi()
  const { data: trace, failure, refetch } = useApiQuery(traceQuery(api, { execution, item }))
  if (trace !== undefined) return <LoadedRun trace={trace} />
  return (
    <Page title="Execution">
      {failure === null ? (
        <Surface>
          <Skeleton width={320} />
        </Surface>
      ) : (
        <FailureNotice
          what="The execution could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      )}
    </Page>
  )
}

function LoadedRun({ trace }: { trace: Trace }) {
  const { execution_id: execution, item } = trace
  const search = readRunSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const underWay = isUnderWay(trace.status)
  const { streamState, texts } = useLiveRun(execution, item, underWay)
  const { data: status } = useQuery(executionStatusQuery(useApi(), execution))
  const now = useNow(underWay)
  const selected = trace.steps.find(({ step_id }) => step_id === search.step) ?? stepToShow(trace)
  // A run that was completed already opens with its result; the view of a running one does not change under its reader.
  const [wasCompleted] = useState(trace.status === 'completed')
  const { tab = wasCompleted && search.step === undefined ? 'result' : 'step' } = search

  const go = (change: RunSearch) =>
    void navigate({
      search: (before) => readRunSearch({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  const select = (step: string) => go({ step, tab: 'step' })

  return (
    <Page
      title={trace.flow_label}
      lead={
        <>
          <RunOrigin trace={trace} />, execution <Copyable text={execution} what="execution ID" />
        </>
      }
      aside={
        <>
          {underWay ? <StreamStatus state={streamState} /> : null}
          <RunActions trace={trace} />
        </>
      }
    >
      <RunSummary trace={trace} status={status} now={now} />
      {trace.status === 'failed' ? <Recovery execution={execution} /> : null}
      {trace.items === 0 ? null : (
        <ItemChoice items={trace.items} item={item} onChoose={(wanted) => go({ item: wanted })} />
      )}
      <div className={styles['views']}>
        <Section title="Graph">
          <div className={styles['graph']}>
            <Suspense>
              <StepGraph
                steps={trace.steps}
                edges={trace.edges}
                selected={selected?.step_id}
                onSelect={select}
              />
            </Suspense>
          </div>
        </Section>
        <Section title="Timeline">
          <div className={styles['time']}>
            <GanttChart gantt={ganttOf(trace, now)} selected={selected?.step_id} onSelect={select} />
          </div>
        </Section>
      </div>
      <PageTabs label="Execution" tabs={tabs} value={tab} onChange={(wanted) => go({ tab: wanted })}>
        {tab === 'result' ? <ResultTab trace={trace} /> : null}
        {tab === 'input' ? <InputTab trace={trace} /> : null}
        {tab === 'step' && selected !== undefined ? (
          <Surface>
            <StepPanel
              key={`${selected.step_id} ${item}`}
              execution={execution}
              item={item}
              step={selected}
              text={texts.get(selected.step_id)}
            />
          </Surface>
        ) : null}
        {tab === 'memory' ? (
          <Surface>
            <MemoryTab trace={trace} onSelect={select} />
          </Surface>
        ) : null}
        {tab === 'decisions' ? (
          <Surface>
            <DecisionsTab trace={trace} onSelect={select} />
          </Surface>
        ) : null}
        {tab === 'log' ? (
          <Surface>
            <LogTab trace={trace} />
          </Surface>
        ) : null}
      </PageTabs>
    </Page>
  )
}

const tabs = [
  { value: 'result', label: 'Result' },
  { value: 'input', label: 'Input' },
  { value: 'step', label: 'Step' },
  { value: 'memory', label: 'Memory' },
  { value: 'decisions', label: 'Decisions' },
  { value: 'log', label: 'Log' },
] as const

/** The step selected by default: a running one, else a failed one, else the last completed one, else the first. */
function stepToShow({ steps }: Trace): Trace['steps'][number] | undefined {
  return (
    steps.find(({ state }) => state === 'running') ??
    steps.find(({ state }) => state === 'failed') ??
    steps.findLast(({ state }) => state === 'completed') ??
    steps[0]
  )
}

/** The current time in epoch seconds, updated every 250 ms while the execution is running. */
function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now() / 1000), 250)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}

/** The flow id prefix of test runs of drafts. No saved flow has such an id, so the execution links to no flow. */
const draftPrefix = 'draft:'

/** The flow of the execution, unless it was a test run of a draft. */
function RunOrigin({ trace: { flow_id: flow, flow_version: version } }: { trace: Trace }) {
  if (flow.startsWith(draftPrefix)) return 'Test run of a draft'
  return (
    <>
      Version {version} of{' '}
      <Link to="/workflows/$flow" params={{ flow }} search={{ version }}>
        {flow}
      </Link>
    </>
  )
}

interface ItemChoiceProps {
  readonly items: number
  readonly item: number
  readonly onChoose: (item: number) => void
}

/** The selector of a batch item. */
function ItemChoice({ items, item, onChoose }: ItemChoiceProps) {
  return (
    <NativeSelect
      size="sm"
      label="Batch item"
      data={Array.from({ length: items }, (_, index) => ({
        value: String(index),
        label: `${index + 1} of ${items}`,
      }))}
      value={String(item)}
      onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
    />
  )
}

const CancelSome = lazyPart(() => import('../executions/ExecutionDialogs.tsx'))

/** The actions of the whole execution. */
function RunActions({ trace }: { trace: Trace }) {
  const cache = useQueryClient()
  const [isCancelling, setCancelling] = useState(false)
  const { execution_id: id, flow_label, forked_from } = trace
  return (
    <>
      {forked_from === null ? null : (
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => (
            <Link to="/executions/compare" search={{ a: forked_from, b: id }} {...props} />
          )}
        >
          Compare with the original
        </Button>
      )}
      {isUnderWay(trace.status) ? (
        <Button size="compact-sm" variant="default" onClick={() => setCancelling(true)}>
          Cancel
        </Button>
      ) : null}
      <Suspense>
        {isCancelling ? (
          <CancelSome
            executions={[{ execution_id: id, flow_label }]}
            onDone={() => cache.invalidateQueries({ queryKey: ['executions'] })}
            onClose={() => setCancelling(false)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

type Growth = Trace['memory'][number]

interface MemoryTabProps {
  readonly trace: Trace
  readonly onSelect: (step: string) => void
}

/** The shared memory, in the order of the writes. */
function MemoryTab({ trace, onSelect }: MemoryTabProps) {
  if (trace.memory.length === 0) {
    return (
      <EmptyState
        sentence="The shared memory is empty."
        action={
          <Button size="compact-sm" variant="default" onClick={() => onSelect(trace.steps[0]?.step_id ?? '')}>
            Show the first step
          </Button>
        }
        link={<a href={apiReferencePath}>About output_to_memory</a>}
      />
    )
  }
  return (
    <Table
      label="Shared memory"
      columns={columnsFor(trace)}
      rows={trace.memory}
      rowKey={({ key, step_id, at }) => `${key} ${step_id} ${at}`}
      onOpen={({ step_id }) => onSelect(step_id)}
    />
  )
}

function columnsFor({ started_at: started }: Trace): ReadonlyArray<Column<Growth>> {
  return [
    { title: 'Key', value: ({ key }) => key, cell: ({ key }) => <code>{key}</code> },
    { title: 'Written by', value: ({ step_id }) => step_id, cell: ({ step_id }) => step_id },
    {
      title: 'Size',
      numeric: true,
      value: ({ bytes }) => bytes,
      cell: ({ bytes }) => `${bytes.toLocaleString()} bytes`,
    },
    {
      title: 'After',
      numeric: true,
      value: ({ at }) => at,
      cell: ({ at }) => (started === null ? '–' : describeDuration(Math.max(0, at - started))),
    },
  ]
}

interface RunSummaryProps {
  readonly trace: Trace
  readonly status: ExecutionStatus | undefined
  /** Epoch seconds. */
  readonly now: number
}

/** The summary of an execution: state, duration, cost with budget, and tokens. */
function RunSummary({ trace, status, now }: RunSummaryProps) {
  const { steps } = trace
  const isSuspended = status !== undefined && status.suspended !== null
  const told = describeExecution({
    status: trace.status,
    approval: status?.approval ?? null,
    suspended: isSuspended,
    error_message: status?.error?.message ?? null,
  })
  const over = steps.filter(({ finished_at: at }) => at !== null).length
  const input = steps.reduce((sum, step) => sum + step.input_tokens, 0)
  const output = steps.reduce((sum, step) => sum + step.output_tokens, 0)
  return (
    <SummaryStrip
      isLoading={status === undefined}
      cells={[
        { name: 'State', value: <Status {...told} />, note: `${over} of ${steps.length} steps finished` },
        {
          name: 'Duration',
          value: describeTime(trace, isSuspended ? trace.as_of : now),
          note: (
            <>
              created <RelativeTime at={new Date(trace.created_at * 1000).toISOString()} />
            </>
          ),
        },
        { name: 'Cost', ...describeCosts(status?.cost_tracking) },
        {
          name: 'Tokens',
          value: (input + output).toLocaleString(),
          note: `${input.toLocaleString()} in, ${output.toLocaleString()} out`,
        },
      ]}
    />
  )
}

/** The duration of an execution; for a running one, the time since the server's response is added. */
function describeTime({ status, execution_time: time, as_of: asOf }: Trace, now: number): string {
  if (time === null) return 'Not started'
  return describeDuration(status === 'running' ? time + Math.max(0, now - asOf) : time)
}

function describeCosts(costs: ExecutionStatus['cost_tracking'] | undefined) {
  if (costs === undefined) return {}
  const { current_cost: spent, budget_remaining: left, estimated_total_cost: expected } = costs
  const value = inDollars(spent)
  if (left === null) {
    return {
      value,
      note: expected === null ? 'no budget' : `about ${inDollars(expected)} expected`,
    }
  }
  const words = `${inDollars(left)} of the budget left`
  return {
    value,
    note: (
      <>
        {words}
        <Meter label="Execution budget" words={words} most={spent + left} spent={spent} />
      </>
    ),
  }
}

function inDollars(dollars: number): string {
  return describeDollars(Math.round(dollars * 1e6))
}
