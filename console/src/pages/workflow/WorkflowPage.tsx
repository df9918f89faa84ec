import '../../theme/mantine-form.css'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import type { Place } from '../../graph/graph-layout.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Copyable } from '../../parts/Copyable.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { OverflowMenu } from '../../parts/OverflowMenu.tsx'
import { Page } from '../../parts/Page.tsx'
import { PageTabs } from '../../parts/PageTabs.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeStepType } from '../executions/execution-words.ts'
import { emptyDocument, placesIn } from '../flow-editor/document/flow-document.ts'
import type { JsonObject } from '../flow-editor/document/json.ts'
import { writeFlowFile } from '../workflows/flow-file.ts'
import { type FlowStep, flowQuery, stepsOf, type WholeFlow } from '../workflows/flow-queries.ts'
import { Versions } from './Versions.tsx'
import styles from './WorkflowPage.module.css'
import { readWorkflowPageSearch, type WorkflowPageSearch } from './workflow-page-search.ts'

const StepGraph = lazyPart(() => import('../../graph/StepGraph.tsx'))
const RunFlow = lazyPart(() => import('./RunFlow.tsx'))
const route = getRouteApi('/workflows/$flow')

/** One workflow: its graph, its versions, and the action to run it. */
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

const tabs = [
  { value: 'graph', label: 'Graph' },
  { value: 'steps', label: 'Steps' },
  { value: 'definition', label: 'JSON' },
  { value: 'versions', label: 'Versions' },
] as const

function LoadedFlow({ flow }: { flow: WholeFlow }) {
  const search = readWorkflowPageSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const mayRun = useMay('run workflows')
  const mayManage = useMay('manage workflows')
  const kept = useMemo(() => keptPlaces(flow), [flow])
  const { tab = 'graph' } = search
  const go = (change: WorkflowPageSearch) =>
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
          {flow.description} <Copyable text={flow.id} what="workflow ID" />
        </>
      }
      aside={
        <>
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to="/executions" search={{ flow: flow.id }} {...props} />}
          >
            Executions
          </Button>
          {mayManage ? <EditFlow flow={flow} /> : null}
          {mayRun ? (
            <Button size="compact-sm" data-tour="run-flow" onClick={() => go({ run: true })}>
              Run
            </Button>
          ) : null}
          <MoreActions flow={flow} mayDelete={mayManage && !flow.built_in} />
        </>
      }
    >
      <FlowSummary flow={flow} />
      <PageTabs label="Workflow" tabs={tabs} value={tab} onChange={(wanted) => go({ tab: wanted })}>
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
          {tab === 'versions' ? (
            <Versions flow={flow} onShow={(version) => go({ version, tab: 'graph' })} />
          ) : null}
        </Surface>
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

function drawnSteps(flow: WholeFlow) {
  return stepsOf(flow).map(({ id, type, label }) => ({
    step_id: id,
    step_type: type,
    label: label ?? null,
    on_demand: flow.on_demand.includes(id),
  }))
}

/** Downloads the flow as a file that Import accepts, on this or another platform. */
function exportFlow(flow: WholeFlow): void {
  const address = URL.createObjectURL(new Blob([writeFlowFile(flow)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${flow.id}.flow.json`
  link.click()
  URL.revokeObjectURL(address)
}

/** The links to edit the flow or a copy of it. A built-in flow can only be copied. */
function EditFlow({ flow: { id, built_in: builtIn } }: { flow: WholeFlow }) {
  const copy = (
    <Button
      size="compact-sm"
      variant="default"
      data-tour="edit-flow"
      renderRoot={(props) => <Link to="/workflows/new" search={{ from: id }} {...props} />}
    >
      {builtIn ? 'Copy and edit' : 'Copy'}
    </Button>
  )
  if (builtIn) return copy
  return (
    <>
      {copy}
      <Button
        size="compact-sm"
        variant="default"
        renderRoot={(props) => <Link to="/workflows/$flow/edit" params={{ flow: id }} {...props} />}
      >
        Edit
      </Button>
    </>
  )
}

/** The summary of a flow. */
function FlowSummary({ flow }: { flow: WholeFlow }) {
  const isCurrent = flow.revision === flow.current_revision
  return (
    <SummaryStrip
      isLoading={false}
      cells={[
        {
          name: 'Version',
          value: flow.version,
          note: isCurrent
            ? `revision ${flow.revision}, the current one`
            : `revision ${flow.revision} of ${flow.current_revision}`,
        },
        { name: 'Steps', value: flow.steps, note: flow.built_in ? 'built in' : 'custom' },
        {
          name: 'Inputs',
          value: flow.required_inputs.length === 0 ? 'none' : flow.required_inputs.join(', '),
          note: 'required in the context',
        },
        {
          name: 'Saved',
          value: <RelativeTime at={new Date(flow.saved_at * 1000).toISOString()} />,
          note: flow.approval_required ? 'runs require approval' : 'no approval required',
        },
      ]}
    />
  )
}

/** The steps of the graph as a list, for reading from top to bottom. */
function FlowSteps({ flow }: { flow: WholeFlow }) {
  return <Table label="Steps" columns={columnsFor(flow)} rows={stepsOf(flow)} rowKey={({ id }) => id} />
}

function columnsFor({ edges, on_demand: onDemand }: WholeFlow): ReadonlyArray<Column<FlowStep>> {
  const before = (id: string) => edges.filter(({ to }) => to === id)
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
      cell: ({ id }) =>
        before(id)
          .map(({ from, label }) => (label === null ? from : `${from}, when ${label}`))
          .join('; ') || 'nothing',
    },
    {
      title: 'Runs',
      minor: true,
      cell: ({ id }) =>
        onDemand.includes(id)
          ? 'when an agent adds it'
          : before(id).some(({ kind }) => kind === 'chooses')
            ? 'when its branch is taken'
            : 'always',
    },
  ]
}

/** The seldom actions: export, and deletion. The executions of a deleted flow stay readable. */
function MoreActions({ flow, mayDelete }: { flow: WholeFlow; mayDelete: boolean }) {
  const { id, label } = flow
  const [isAsking, setIsAsking] = useState(false)
  const cache = useQueryClient()
  const navigate = useNavigate()
  return (
    <>
      <OverflowMenu
        label="More actions"
        actions={[{ label: 'Export', onSelect: () => exportFlow(flow) }]}
        {...(mayDelete ? { destructive: [{ label: 'Delete…', onSelect: () => setIsAsking(true) }] } : {})}
      />
      {isAsking ? (
        <ConfirmDialog
          title={`Delete “${label}”?`}
          confirmLabel="Delete workflow"
          failureSentence="The workflow was not deleted."
          send={({ client }) =>
            bodyOf(client.DELETE('/ai-workflows/api/flows/{id}', { params: { path: { id } } }))
          }
          onDone={async ({ executions_under_way: open }) => {
            await navigate({ to: '/workflows' })
            cache.removeQueries({ queryKey: ['flows', 'one', id] })
            await cache.invalidateQueries({ queryKey: ['flows', 'list'] })
            await notify({
              title: `“${label}” is deleted`,
              ...(open === 0
                ? {}
                : {
                    message: `${open === 1 ? 'One running execution continues' : `${open} running executions continue`} to the end.`,
                  }),
            })
          }}
          onClose={() => setIsAsking(false)}
        >
          The workflow can no longer be run, also not by schedules. Running executions continue to the end;
          results and versions are kept.
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** The stored positions of the steps in the editor; undefined unless every step has one. */
export function keptPlaces(
  flow: Pick<WholeFlow, 'flow_definition' | 'metadata'>,
): ReadonlyMap<string, Place> | undefined {
  // The API describes the metadata as free-form; the response is JSON.
  const places = placesIn({ ...emptyDocument, metadata: flow.metadata as JsonObject })
  return stepsOf(flow).every(({ id }) => places.has(id)) ? places : undefined
}
