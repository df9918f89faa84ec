import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import '../../theme/mantine-form.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { executionStatusQuery, type Trace, traceQuery } from '../executions/execution-queries.ts'
import { isUnderWay } from '../executions/execution-words.ts'
import { DecisionsTab } from './DecisionsTab.tsx'
import { GanttChart } from './GanttChart.tsx'
import { ganttOf } from './gantt.ts'
import { LogTab } from './LogTab.tsx'
import { MemoryTab } from './MemoryTab.tsx'
import { Recovery } from './Recovery.tsx'
import styles from './RunPage.module.css'
import { RunSummary } from './RunSummary.tsx'
import { type RunSearch, readRunSearch } from './run-search.ts'
import { StepPanel } from './StepPanel.tsx'
import { useLiveRun } from './use-live-run.ts'

const StepGraph = lazy(() => import('../../graph/StepGraph.tsx'))
const route = getRouteApi('/executions/$execution')

/** One execution: its graph and its time side by side, and all about the step that is chosen. */
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
  const { tab = 'step' } = search

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
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label="View"
        data={tabs}
        value={tab}
        onChange={(wanted) => go({ tab: wanted as NonNullable<RunSearch['tab']> })}
      />
      <Surface>
        {tab === 'step' && selected !== undefined ? (
          <StepPanel
            key={`${selected.step_id} ${item}`}
            execution={execution}
            item={item}
            step={selected}
            text={texts.get(selected.step_id)}
          />
        ) : null}
        {tab === 'memory' ? <MemoryTab trace={trace} onSelect={select} /> : null}
        {tab === 'decisions' ? <DecisionsTab trace={trace} onSelect={select} /> : null}
        {tab === 'log' ? <LogTab trace={trace} /> : null}
      </Surface>
    </Page>
  )
}

const tabs = [
  { value: 'step', label: 'Step' },
  { value: 'memory', label: 'Memory' },
  { value: 'decisions', label: 'Decisions' },
  { value: 'log', label: 'Log' },
]

/** The step one most likely wants to see: what runs, else what failed, else the last. */
function stepToShow({ steps }: Trace): Trace['steps'][number] | undefined {
  return (
    steps.find(({ state }) => state === 'running') ??
    steps.find(({ state }) => state === 'failed') ??
    steps.findLast(({ state }) => state === 'completed') ??
    steps[0]
  )
}

/** Epoch seconds, kept up to date several times a second while something goes on. */
function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now() / 1000), 250)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}

/** Drafts that were tried are called so: no flow of this id can be saved, and none has a page. */
const draftPrefix = 'draft:'

/** The flow of the execution, unless it was a test run of a draft. */
function RunOrigin({ trace: { flow_id: flow, flow_version: version } }: { trace: Trace }) {
  if (flow.startsWith(draftPrefix)) return 'Test run of a draft'
  return (
    <>
      Version {version} of{' '}
      <Link to="/flows/$flow" params={{ flow }} search={{ version }}>
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

/** Which item of a batch is shown. */
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

const CancelSome = lazy(() => import('../executions/CancelSome.tsx'))

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
