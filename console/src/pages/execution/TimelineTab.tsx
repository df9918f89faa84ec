import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useRef, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Surface } from '../../parts/Section.tsx'
import { SidePanel, useFitsPanel } from '../../parts/SidePanel.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { type Trace, type TracedStep, traceQuery } from '../executions/execution-queries.ts'
import { GanttChart } from './GanttChart.tsx'
import { ganttOf } from './gantt.ts'
import type { RunSearch } from './run-search.ts'
import { Breadcrumb, ScopeList } from './ScopeList.tsx'
import { StepDetails } from './StepDetails.tsx'
import styles from './TimelineTab.module.css'

const StepGraph = lazyPart(() => import('../../graph/StepGraph.tsx'))

interface TimelineTabProps {
  readonly trace: Trace
  readonly search: RunSearch
  /** The texts the models are streaming, by step. */
  readonly texts: ReadonlyMap<string, string>
  /** Epoch seconds. */
  readonly now: number
  readonly onGo: (change: { [Name in keyof RunSearch]: RunSearch[Name] | undefined }) => void
}

/** The steps over time or as a graph, with the details of the selected step beside them. */
export function TimelineTab({ trace, search, texts, now, onGo }: TimelineTabProps) {
  const { execution_id: execution, item } = trace
  const { in: within } = search
  const [page, setPage] = useState(1)
  const nested = useQuery({
    ...traceQuery(useApi(), { execution, item, within, page }),
    enabled: within !== undefined,
  })
  const shown = within === undefined ? trace : nested.data
  const frame = useRef<HTMLDivElement>(null)
  const fits = useFitsPanel()
  const [isDismissed, setDismissed] = useState(false)
  const selected =
    shown?.steps.find(({ step_id }) => step_id === search.step) ??
    (fits && !isDismissed && shown !== undefined && within === undefined ? stepToShow(shown) : undefined)
  const select = (step: string) => onGo({ step, tab: 'timeline' })
  const open = (part: string | undefined) => {
    setPage(1)
    onGo({ in: part, step: undefined, tab: 'timeline' })
  }
  return (
    <div className={styles['tab']}>
      <div className={styles['tools']}>
        {within === undefined ? <span /> : <Breadcrumb trace={trace} within={within} onOpen={open} />}
        {shown === undefined || isContainer(within) ? null : (
          <SegmentedControl
            size="xs"
            aria-label="View of the steps"
            data={[
              { value: 'timeline', label: 'Timeline' },
              { value: 'graph', label: 'Graph' },
            ]}
            value={search.view ?? 'timeline'}
            onChange={(view) => onGo({ view: view === 'graph' ? view : undefined, tab: 'timeline' })}
          />
        )}
      </div>
      <div className={styles['beside']}>
        <div ref={frame} className={styles['steps']}>
          {shown === undefined ? (
            nested.error === null ? (
              <Surface>
                <Skeleton width={320} />
              </Surface>
            ) : (
              <FailureNotice
                what="The steps could not be loaded."
                error={nested.error}
                onRetry={() => void nested.refetch()}
              />
            )
          ) : isContainer(within) ? (
            <ScopeList trace={shown} page={page} onPage={setPage} onOpen={open} />
          ) : (
            <Surface>
              {search.view === 'graph' ? (
                <div className={styles['graph']}>
                  <Suspense>
                    <StepGraph
                      steps={shown.steps}
                      edges={shown.edges}
                      selected={selected?.step_id}
                      onSelect={select}
                    />
                  </Suspense>
                </div>
              ) : (
                <Steps
                  trace={shown}
                  now={now}
                  selected={selected?.step_id}
                  onSelect={select}
                  onEnter={() => frame.current?.parentElement?.querySelector<HTMLElement>('aside')?.focus()}
                />
              )}
            </Surface>
          )}
        </div>
        {selected === undefined ? null : (
          <SidePanel
            title={selected.label ?? selected.step_id}
            onClose={() => {
              setDismissed(true)
              onGo({ step: undefined })
            }}
            returnTo={() =>
              frame.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(selected.step_id)}"]`) ??
              null
            }
          >
            <StepDetails
              key={`${selected.step_id} ${item}`}
              trace={trace}
              step={selected}
              text={texts.get(selected.step_id)}
              onOpen={open}
            />
          </SidePanel>
        )}
      </div>
    </div>
  )
}

/** A path names a container unless it ends with the number of a scope. */
function isContainer(within: string | undefined): boolean {
  return within !== undefined && within.split('/').length % 2 === 1
}

interface StepsProps {
  readonly trace: Trace
  readonly now: number
  readonly selected: string | undefined
  readonly onSelect: (step: string) => void
  readonly onEnter: () => void
}

function Steps({ trace, now, ...chart }: StepsProps) {
  const gantt = useMemo(() => ganttOf(trace, now), [trace, now])
  return <GanttChart gantt={gantt} {...chart} />
}

/** The step selected by default: a running one, else a failed one, else the last completed one, else the first. */
function stepToShow({ steps }: Trace): TracedStep | undefined {
  return (
    steps.find(({ state }) => state === 'running' || state === 'suspended') ??
    steps.find(({ state }) => state === 'failed') ??
    steps.findLast(({ state }) => state === 'completed') ??
    steps[0]
  )
}
