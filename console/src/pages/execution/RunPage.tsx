import { Button, NativeSelect } from '@mantine/core'
import '../../theme/mantine-form.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { PageTabs } from '../../parts/PageTabs.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { executionStatusQuery, type Trace, traceQuery } from '../executions/execution-queries.ts'
import { isUnderWay } from '../executions/execution-words.ts'
import { ApprovalBox } from './ApprovalBox.tsx'
import { CauseBox } from './CauseBox.tsx'
import { FirstRunStrip } from './FirstRunStrip.tsx'
import { isDraft } from './flow-of-run.ts'
import { MemoryTab } from './MemoryTab.tsx'
import { RunSummary } from './RunSummary.tsx'
import { DecisionsTab, LogTab } from './RunTabs.tsx'
import { type RunSearch, readRunSearch } from './run-search.ts'
import { TimelineTab } from './TimelineTab.tsx'
import { useLiveRun } from './use-live-run.ts'
import { InputTab, ResultTab } from './ValueTabs.tsx'
import { WaitBox } from './WaitBox.tsx'

const RunAgainDrawer = lazyPart(() => import('./RunAgainDrawer.tsx'))
const route = getRouteApi('/executions/$execution')

/** One execution: its result, its steps over time, and the cause of a failure. */
export function RunPage() {
  const { execution } = route.useParams()
  const { item = 0 } = readRunSearch({ ...route.useSearch() })
  const api = useApi()
  const { data: trace, failure, refetch } = useApiQuery(traceQuery(api, { execution, item }))
  if (trace !== undefined) return <LoadedRun key={execution} trace={trace} />
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
  const opensResult = useOpensResult(trace.status === 'completed', texts.size > 0)
  const isAtStep = search.step !== undefined || search.in !== undefined
  const { tab = opensResult && !isAtStep ? 'result' : 'timeline' } = search

  const go = (change: { [Name in keyof RunSearch]: RunSearch[Name] | undefined }) =>
    void navigate({
      search: (before) => readRunSearch({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  const select = (step: string) => go({ step, in: scopeOf(step), tab: 'timeline' })

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
          <RunActions trace={trace} onRunAgain={() => go({ again: 'same' })} />
        </>
      }
    >
      <RunSummary trace={trace} status={status} now={now} />
      {trace.status === 'failed' ? (
        <CauseBox trace={trace} onSelect={select} onRunAgain={() => go({ again: 'latest' })} />
      ) : null}
      {trace.approval?.state === 'pending' && underWay ? <ApprovalBox trace={trace} /> : null}
      {underWay && trace.waits.length > 0 ? <WaitBox trace={trace} onSelect={select} /> : null}
      {trace.items === 0 ? null : (
        <ItemChoice items={trace.items} item={item} onChoose={(wanted) => go({ item: wanted })} />
      )}
      <PageTabs label="Execution" tabs={tabs} value={tab} onChange={(wanted) => go({ tab: wanted })}>
        {tab === 'result' ? <ResultTab trace={trace} /> : null}
        {tab === 'input' ? <InputTab trace={trace} /> : null}
        {tab === 'timeline' ? (
          <TimelineTab trace={trace} search={search} texts={texts} now={now} onGo={go} />
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
      {trace.status === 'completed' && !isDraft(trace) ? (
        <FirstRunStrip trace={trace} onRunAgain={() => go({ again: 'same' })} />
      ) : null}
      <Suspense>
        {search.again === undefined || isDraft(trace) ? null : (
          <RunAgainDrawer trace={trace} wanted={search.again} onClose={() => go({ again: undefined })} />
        )}
      </Suspense>
    </Page>
  )
}

const soonMs = 10_000

/**
 * Whether the page opens with the result: of a run that was completed before, or completes soon after. The view of a
 * longer run, or of one whose output streams, does not change under its reader.
 */
function useOpensResult(isCompleted: boolean, isRead: boolean): boolean {
  const [opensResult, setOpensResult] = useState(isCompleted)
  const [isNew, setNew] = useState(true)
  if (isNew && isRead && !isCompleted) setNew(false)
  useEffect(() => {
    const timer = setTimeout(() => setNew(false), soonMs)
    return () => clearTimeout(timer)
  }, [])
  if (isNew && isCompleted && !opensResult) setOpensResult(true)
  return opensResult
}

/** The scope around a step path; undefined for a step of the workflow itself. */
function scopeOf(step: string): string | undefined {
  const end = step.lastIndexOf('/')
  return end === -1 ? undefined : step.slice(0, end)
}

const tabs = [
  { value: 'result', label: 'Result' },
  { value: 'input', label: 'Input' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'memory', label: 'Memory' },
  { value: 'decisions', label: 'Decisions' },
  { value: 'log', label: 'Log' },
] as const

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

/** The flow of the execution, unless it was a test run of a draft. */
function RunOrigin({ trace }: { trace: Trace }) {
  const { flow_id: flow, flow_version: version } = trace
  if (isDraft(trace)) return 'Test run of a draft'
  return (
    <>
      Version {version} of{' '}
      <Link
        to="/workflows/$flow"
        params={{ flow }}
        search={{ version }}
        data-tour="run-workflow"
        data-tutti-tour-advance
      >
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
function RunActions({ trace, onRunAgain }: { trace: Trace; onRunAgain: () => void }) {
  const cache = useQueryClient()
  const [isCancelling, setCancelling] = useState(false)
  const { execution_id: id, flow_label, forked_from, rerun_of } = trace
  const original = forked_from ?? rerun_of
  return (
    <>
      {original === null ? null : (
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => <Link to="/executions/compare" search={{ a: original, b: id }} {...props} />}
        >
          Compare with the original
        </Button>
      )}
      {isUnderWay(trace.status) ? (
        <Button size="compact-sm" variant="default" onClick={() => setCancelling(true)}>
          Cancel
        </Button>
      ) : null}
      {isDraft(trace) ? null : (
        <Button
          size="compact-sm"
          {...(isUnderWay(trace.status) || trace.status === 'failed' ? { variant: 'default' } : {})}
          data-tour="run-again"
          data-tutti-tour-advance
          onClick={onRunAgain}
        >
          Run again
        </Button>
      )}
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
