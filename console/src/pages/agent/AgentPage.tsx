import '../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { agentQuery, type WholeAgent } from '../agents/agent-queries.ts'
import {
  describeCost,
  describeFee,
  describePercent,
  describeRating,
  describeSeconds,
} from '../agents/agent-words.ts'
import { AboutAgent } from './AboutAgent.tsx'
import styles from './Agent.module.css'
import { AgentVersions } from './AgentVersions.tsx'
import { type AgentPageSearch, type AgentTab, readAgentPageSearch } from './agent-page-search.ts'
import { RatingTab } from './RatingTab.tsx'

const MeasuredTab = lazy(() => import('./MeasuredTab.tsx'))
const RunAgent = lazy(() => import('./RunAgent.tsx'))
const route = getRouteApi('/agents/$agent')

/** One agent: what it does, what was measured, what people think of it, and running it. */
export function AgentPage() {
  const { agent: id } = route.useParams()
  const { version } = readAgentPageSearch({ ...route.useSearch() })
  const { data: agent, failure, refetch } = useApiQuery(agentQuery(useApi(), { id, version }))
  if (agent !== undefined) return <LoadedAgent key={agent.id} agent={agent} />
  return (
    <Page title="Agent">
      {failure === null ? (
        <Surface>
          <Skeleton width={320} />
        </Surface>
      ) : (
        <FailureNotice what="The agent could not be loaded." error={failure} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

function LoadedAgent({ agent }: { agent: WholeAgent }) {
  const { tab = 'about', ...search } = readAgentPageSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const mayRun = useMay('run workflows')
  const mayTry = useMay('manage workflows')
  const maySeeNumbers = useMay('view workflow analytics')
  const go = (change: AgentPageSearch | { run: undefined }) =>
    void navigate({
      search: (before) => readAgentPageSearch({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Page
      title={agent.label}
      lead={
        <>
          {agent.description} <Copyable text={agent.id} what="agent ID" />
        </>
      }
      aside={
        (mayRun || mayTry) && agent.status === 'active' ? (
          <Button size="compact-sm" onClick={() => go({ run: true })}>
            Run
          </Button>
        ) : undefined
      }
    >
      <AgentSummary agent={agent} />
      <SegmentedControl
        size="xs"
        w="fit-content"
        maw="100%"
        aria-label="View"
        data={tabsFor(maySeeNumbers)}
        value={tab}
        onChange={(wanted) => go({ tab: wanted })}
      />
      {tab === 'about' ? <AboutAgent agent={agent} /> : null}
      <Suspense>{tab === 'measured' && maySeeNumbers ? <MeasuredTab agent={agent} /> : null}</Suspense>
      {tab === 'output' ? <OutputTab agent={agent} /> : null}
      {tab === 'versions' ? (
        <AgentVersions agent={agent} onShow={(version) => go({ version, tab: 'about' })} />
      ) : null}
      {tab === 'ratings' ? <RatingTab agent={agent} /> : null}
      <Suspense>
        {search.run === true && (mayRun || mayTry) ? (
          <RunAgent agent={agent} mayTry={mayTry} onClose={() => go({ run: undefined })} />
        ) : null}
      </Suspense>
    </Page>
  )
}

function tabsFor(maySeeNumbers: boolean): Array<{ value: AgentTab; label: string }> {
  return [
    { value: 'about', label: 'About' },
    ...(maySeeNumbers ? [{ value: 'measured' as const, label: 'Metrics' }] : []),
    { value: 'output', label: 'Output' },
    { value: 'versions', label: 'Versions' },
    { value: 'ratings', label: 'Ratings' },
  ]
}

/** The form of what an agent makes, and the agent as it was saved. */
function OutputTab({
  agent: { agent_definition: definition, output_format: format },
}: {
  agent: WholeAgent
}) {
  const { output_schema: schema } = definition
  return (
    <>
      <Section title="Output schema" note={format}>
        <div className={styles['inside']}>
          {schema === undefined ? (
            <p className={styles['words']}>Plain text without fields.</p>
          ) : (
            <JsonView value={schema} what="output schema" />
          )}
        </div>
      </Section>
      <Section title="Definition" note="prompt, measurements and checks">
        <div className={styles['inside']}>
          <JsonView value={definition} what="definition" />
        </div>
      </Section>
    </>
  )
}

/** How an agent did, at a glance. */
function AgentSummary({ agent: { performance_metrics: measured, pricing } }: { agent: WholeAgent }) {
  const runs = measured?.executions_24h ?? 0
  return (
    <SummaryStrip
      isLoading={false}
      cells={[
        { name: 'Success rate', value: describePercent(measured?.success_rate), note: 'last 30 days' },
        {
          name: 'Cost per run',
          value: describeCost(measured?.average_cost),
          note: `surcharge: ${describeFee(pricing)}`,
        },
        {
          name: 'Duration',
          value: describeSeconds(measured?.average_duration),
          note: 'successful runs',
        },
        { name: 'Runs', value: runs.toLocaleString(), note: 'last 24 hours' },
        { name: 'Rating', value: describeRating(measured?.user_rating), note: 'average' },
      ]}
    />
  )
}
