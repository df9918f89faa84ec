import { SegmentedControl } from '@mantine/core'
import '../../theme/mantine-form.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import type { Trace } from '../executions/execution-bodies.ts'
import { executionStatusQuery, traceQuery } from '../executions/execution-queries.ts'
import { isUnderWay } from '../executions/execution-words.ts'
import { DecisionsTab } from './DecisionsTab.tsx'
import { GanttChart } from './GanttChart.tsx'
import { ganttOf } from './gantt.ts'
import { ItemChoice } from './ItemChoice.tsx'
import { LogTab } from './LogTab.tsx'
import { MemoryTab } from './MemoryTab.tsx'
import { Recovery } from './Recovery.tsx'
import { RunActions } from './RunActions.tsx'
import { RunOrigin } from './RunOrigin.tsx'
import styles from './RunPage.module.css'
import { RunSummary } from './RunSummary.tsx'
import { type RunSearch, readRunSearch } from './run-search.ts'
import { StepPanel } from './StepPanel.tsx'
import { useLiveRun } from './use-live-run.ts'
import { useNow } from './use-now.ts'

const StepGraph = lazy(() => import('../../graph/StepGraph.tsx'))
const route = getRouteApi('/executions/$execution')

/** One execution: its graph and its time side by side, and all about the step that is chosen. */
export function RunPage() {
  const { execution } = route.useParams()
  const { item = 0 } = readRunSearch({ ...route.useSearch() })
  const api = useApi()
  const { data: trace, failure, refetch } = useAnswer(traceQuery(api, { execution, item }))
  if (trace !== undefined) return <LoadedRun trace={trace} />
  return (
    <Page title="Execution">
      {failure === null ? (
        <Surface>
          <Skeleton width={320} />
        </Surface>
      ) : (
        <FailureNotice
          what="The execution could not be read."
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
          <RunOrigin trace={trace} />, execution <Copyable text={execution} what="execution id" />
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
        <Section title="Time">
          <div className={styles['time']}>
            <GanttChart gantt={ganttOf(trace, now)} selected={selected?.step_id} onSelect={select} />
          </div>
        </Section>
      </div>
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label="What to show"
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
