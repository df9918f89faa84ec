import '../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useMay } from '../../api/use-may.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { stepsOf, type WholeFlow } from '../flows/flow-bodies.ts'
import { flowQuery } from '../flows/flow-queries.ts'
import { DeleteFlow } from './DeleteFlow.tsx'
import { EditFlow } from './EditFlow.tsx'
import { ExportFlow } from './ExportFlow.tsx'
import styles from './FlowPage.module.css'
import { FlowSteps } from './FlowSteps.tsx'
import { FlowSummary } from './FlowSummary.tsx'
import { type FlowPageSearch, readFlowPageSearch } from './flow-page-search.ts'
import { keptPlaces } from './kept-places.ts'
import { Versions } from './Versions.tsx'

const StepGraph = lazy(() => import('../../graph/StepGraph.tsx'))
const RunFlow = lazy(() => import('./RunFlow.tsx'))
const route = getRouteApi('/flows/$flow')

/** One flow: how it is built, its versions, and running it. */
export function FlowPage() {
  const { flow: id } = route.useParams()
  const { version } = readFlowPageSearch({ ...route.useSearch() })
  const { data: flow, failure, refetch } = useAnswer(flowQuery(useApi(), { id, version }))
  if (flow !== undefined) return <LoadedFlow flow={flow} />
  return (
    <Page title="Flow">
      {failure === null ? (
        <Surface>
          <Skeleton width={320} />
        </Surface>
      ) : (
        <FailureNotice what="The flow could not be read." error={failure} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

const tabs = [
  { value: 'graph', label: 'Graph' },
  { value: 'steps', label: 'Steps' },
  { value: 'definition', label: 'JSON' },
  { value: 'versions', label: 'Versions' },
]

function LoadedFlow({ flow }: { flow: WholeFlow }) {
  const search = readFlowPageSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const mayRun = useMay('run workflows')
  const mayManage = useMay('manage workflows')
  const kept = useMemo(() => keptPlaces(flow), [flow])
  const { tab = 'graph' } = search
  const go = (change: FlowPageSearch) =>
    void navigate({
      search: (before) => readFlowPageSearch({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Page
      title={flow.label}
      lead={
        <>
          {flow.description} <Copyable text={flow.id} what="flow id" />
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
          <ExportFlow flow={flow} />
          {mayManage && !flow.built_in ? <DeleteFlow flow={flow} /> : null}
          {mayManage ? <EditFlow flow={flow} /> : null}
          {mayRun ? (
            <Button size="compact-sm" data-tour="run-flow" onClick={() => go({ run: true })}>
              Run
            </Button>
          ) : null}
        </>
      }
    >
      <FlowSummary flow={flow} />
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label="What to show"
        data={tabs}
        value={tab}
        onChange={(wanted) => go({ tab: wanted as NonNullable<FlowPageSearch['tab']> })}
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
        {tab === 'versions' ? (
          <Versions flow={flow} onShow={(version) => go({ version, tab: 'graph' })} />
        ) : null}
      </Surface>
      <Suspense>
        {search.run === true && mayRun ? (
          <RunFlow
            flow={flow}
            onClose={() =>
              void navigate({
                search: (before) => {
                  const { run: _, ...rest } = readFlowPageSearch({ ...before })
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
