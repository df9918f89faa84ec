import '../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useMemo } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import type { Place } from '../../graph/graph-layout.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { InlineCode } from '../../parts/InlineCode.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { Page } from '../../parts/Page.tsx'
import { PageTabs } from '../../parts/PageTabs.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { describeStepType } from '../executions/execution-words.ts'
import { emptyDocument, placesIn } from '../flow-editor/document/flow-document.ts'
import type { JsonObject } from '../flow-editor/document/json.ts'
import { enableFlow, FlowActions } from '../workflows/FlowActions.tsx'
import { type FlowStep, flowQuery, stepsOf, type WholeFlow } from '../workflows/flow-queries.ts'
import { FlowSummary } from './FlowSummary.tsx'
import { Versions } from './Versions.tsx'
import styles from './WorkflowPage.module.css'
import { type FlowTab, readWorkflowPageSearch, type WorkflowPageSearch } from './workflow-page-search.ts'

const StepGraph = lazyPart(() => import('../../graph/StepGraph.tsx'))
const ApiTab = lazyPart(() => import('./ApiTab.tsx'))
const RunFlow = lazyPart(() => import('./RunFlow.tsx'))
const RunsTab = lazyPart(() => import('./RunsTab.tsx'))
const SchedulesTab = lazyPart(() => import('./SchedulesTab.tsx'))
const TestsTab = lazyPart(() => import('./tests/TestsTab.tsx'))
const TriggersTab = lazyPart(() => import('./triggers/TriggersTab.tsx'))
const route = getRouteApi('/workflows/$flow')

/** One workflow: its statistics, runs, definition and versions, and the action to run it. */
export function WorkflowPage() {
  const { flow: id } = route.useParams()
  const { version } = readWorkflowPageSearch({ ...route.useSearch() })
  const { data: flow, failure, refetch } = useApiQuery(flowQuery(useApi(), { id, version }))
  if (flow !== undefined) return <LoadedFlow flow={flow} />
  return (
    <Page title="Workflow">
      {failure === null ? (
        <Surface>
          <Skeleton width={320} />
        </Surface>
      ) : (
        <FailureNotice
          what="The workflow could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      )}
    </Page>
  )
}

/** The views of the definition share one tab. */
const views = [
  { value: 'graph', label: 'Graph' },
  { value: 'steps', label: 'Steps' },
  { value: 'definition', label: 'JSON' },
] as const

const tabs = [
  { value: 'runs', label: 'Runs' },
  { value: 'graph', label: 'Editor' },
  { value: 'versions', label: 'Versions' },
  { value: 'schedules', label: 'Schedules' },
  { value: 'triggers', label: 'Triggers' },
  { value: 'tests', label: 'Tests' },
  { value: 'api', label: 'API' },
] as const

function LoadedFlow({ flow }: { flow: WholeFlow }) {
  const search = readWorkflowPageSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const mayRun = useMay('run workflows')
  const mayManage = useMay('manage workflows')
  const goToList = useNavigate()
  const kept = useMemo(() => keptPlaces(flow), [flow])
  const { tab = 'graph', timeframe = '30d' } = search
  const go = (change: { [Name in keyof WorkflowPageSearch]?: WorkflowPageSearch[Name] | undefined }) =>
    void navigate({
      search: (before) => readWorkflowPageSearch({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Page
      title={flow.label}
      lead={
        <>
          <InlineCode text={flow.description ?? ''} /> <Copyable text={flow.id} what="workflow ID" />
        </>
      }
      aside={
        <>
          {mayManage ? <EditFlow flow={flow} /> : null}
          {mayRun ? (
            <Button
              size="compact-sm"
              data-tour="run-flow"
              data-tutti-tour-advance
              onClick={() => go({ run: true })}
            >
              Run
            </Button>
          ) : null}
          <FlowActions flow={flow} label="More actions" onDeleted={() => goToList({ to: '/workflows' })} />
        </>
      }
    >
      {flow.enabled ? null : <DisabledNotice flow={flow} mayEnable={mayManage} />}
      <FlowSummary
        flow={flow}
        timeframe={timeframe}
        onTimeframe={(wanted) => go({ timeframe: wanted === '30d' ? undefined : wanted })}
        showsChart={tab === 'runs'}
      />
      <PageTabs
        label="Workflow"
        tabs={tabs}
        value={isView(tab) ? 'graph' : tab}
        onChange={(wanted) => go({ tab: wanted })}
      >
        {isView(tab) ? (
          <>
            <SegmentedControl
              size="xs"
              w="fit-content"
              aria-label="View of the definition"
              data={[...views]}
              value={tab}
              onChange={(wanted) => go({ tab: wanted })}
            />
            <Surface>
              {tab === 'graph' ? (
                <div className={styles['graph']} data-tour="flow-graph">
                  <Suspense>
                    <StepGraph steps={drawnSteps(flow)} edges={flow.edges} kept={kept} />
                  </Suspense>
                </div>
              ) : null}
              {tab === 'steps' ? <FlowSteps flow={flow} /> : null}
              {tab === 'definition' ? (
                <div className={styles['json']}>
                  <JsonView value={flow.flow_definition} what="definition" />
                </div>
              ) : null}
            </Surface>
          </>
        ) : null}
        <Suspense>
          {tab === 'runs' ? (
            <RunsTab
              flow={flow}
              sort={search.sort}
              onSort={(sort) => go({ sort })}
              onRun={mayRun ? () => go({ run: true }) : undefined}
            />
          ) : null}
          {tab === 'schedules' ? <SchedulesTab flow={flow} /> : null}
          {tab === 'api' ? <ApiTab flow={flow} /> : null}
        </Suspense>
        {tab === 'versions' || tab === 'triggers' || tab === 'tests' ? (
          <Surface>
            {tab === 'versions' ? (
              <Versions flow={flow} onShow={(version) => go({ version, tab: 'graph' })} />
            ) : null}
            <Suspense>
              {tab === 'triggers' ? <TriggersTab flow={flow} /> : null}
              {tab === 'tests' ? <TestsTab flow={flow} /> : null}
            </Suspense>
          </Surface>
        ) : null}
      </PageTabs>
      <Suspense>
        {search.run === true && mayRun ? (
          <RunFlow
            flow={flow}
            onClose={() =>
              void navigate({
                search: (before) => {
                  const { run: _, ...rest } = readWorkflowPageSearch({ ...before })
                  return rest
                },
                replace: true,
              })
            }
          />
        ) : null}
      </Suspense>
    </Page>
  )
}

function isView(tab: FlowTab): tab is (typeof views)[number]['value'] {
  return views.some(({ value }) => value === tab)
}

/** A disabled workflow, with the action that enables it. */
function DisabledNotice({ flow, mayEnable }: { flow: WholeFlow; mayEnable: boolean }) {
  const api = useApi()
  const cache = useQueryClient()
  return (
    <div className={styles['notice']} role="status">
      <Status tone="idle" word="Disabled" />
      <span>It is not started by people, schedules, triggers or other workflows.</span>
      {mayEnable ? (
        <Button size="compact-xs" variant="default" onClick={() => void enableFlow(api, cache, flow)}>
          Enable
        </Button>
      ) : null}
    </div>
  )
}

function drawnSteps(flow: WholeFlow) {
  return stepsOf(flow).map(({ id, type, label }) => ({
    step_id: id,
    step_type: type,
    label: label ?? null,
    on_demand: flow.on_demand.includes(id),
  }))
}

/** The link to edit the flow. A built-in flow is edited as a copy. */
function EditFlow({ flow: { id, built_in: builtIn } }: { flow: WholeFlow }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      {...(builtIn ? { 'data-tour': 'edit-flow' } : {})}
      renderRoot={(props) =>
        builtIn ? (
          <Link to="/workflows/new" search={{ from: id }} {...props} />
        ) : (
          <Link to="/workflows/$flow/edit" params={{ flow: id }} {...props} />
        )
      }
    >
      {builtIn ? 'Copy and edit' : 'Edit'}
    </Button>
  )
}

/** The steps of the graph as a list, for reading from top to bottom. */
function FlowSteps({ flow }: { flow: WholeFlow }) {
  return <Table label="Steps" columns={columnsFor(flow)} rows={stepsOf(flow)} rowKey={({ id }) => id} />
}

function columnsFor({ edges, on_demand: onDemand }: WholeFlow): ReadonlyArray<Column<FlowStep>> {
  const before = (id: string) => edges.filter(({ to }) => to === id)
  const namesBefore = ({ id }: FlowStep) =>
    before(id)
      .map(({ from, label }) => (label === null ? from : `${from}, when ${label}`))
      .join('; ')
  const describeWhen = ({ id }: FlowStep) => {
    if (onDemand.includes(id)) return 'when an agent adds it'
    return before(id).some(({ kind }) => kind === 'chooses') ? 'when its branch is taken' : 'always'
  }
  return [
    {
      title: 'Step',
      minWidth: 144,
      value: ({ id, label }) => label ?? id,
      cell: ({ id, label }) => label ?? id,
    },
    { title: 'ID', minor: true, value: ({ id }) => id, cell: ({ id }) => <code>{id}</code> },
    {
      title: 'Type',
      value: ({ type }) => describeStepType(type),
      cell: ({ type }) => describeStepType(type),
    },
    {
      title: 'Runs after',
      text: namesBefore,
      cell: (step) => namesBefore(step) || 'nothing',
    },
    { title: 'Runs', minor: true, value: describeWhen, cell: describeWhen },
  ]
}

/** The stored positions of the steps in the editor; undefined unless every step has one. */
export function keptPlaces(
  flow: Pick<WholeFlow, 'flow_definition' | 'metadata'>,
): ReadonlyMap<string, Place> | undefined {
  // The API describes the metadata as free-form; the response is JSON.
  const places = placesIn({ ...emptyDocument, metadata: flow.metadata as JsonObject })
  return stepsOf(flow).every(({ id }) => places.has(id)) ? places : undefined
}
