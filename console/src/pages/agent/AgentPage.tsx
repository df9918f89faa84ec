import '../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useMay } from '../../api/use-may.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import type { WholeAgent } from '../agents/agent-bodies.ts'
import { agentQuery } from '../agents/agent-queries.ts'
import { AboutAgent } from './AboutAgent.tsx'
import { AgentSummary } from './AgentSummary.tsx'
import { AgentVersions } from './AgentVersions.tsx'
import { type AgentPageSearch, type AgentTab, readAgentPageSearch } from './agent-page-search.ts'
import { OutputTab } from './OutputTab.tsx'
import { RatingTab } from './RatingTab.tsx'

const MeasuredTab = lazy(() => import('./MeasuredTab.tsx'))
const RunAgent = lazy(() => import('./RunAgent.tsx'))
const route = getRouteApi('/agents/$agent')

/** One agent: what it does, what was measured, what people think of it, and running it. */
export function AgentPage() {
  const { agent: id } = route.useParams()
  const { version } = readAgentPageSearch({ ...route.useSearch() })
  const { data: agent, failure, refetch } = useAnswer(agentQuery(useApi(), { id, version }))
  if (agent !== undefined) return <LoadedAgent key={agent.id} agent={agent} />
  return (
    <Page title="Agent">
      {failure === null ? (
        <Surface>
          <Skeleton width={320} />
        </Surface>
      ) : (
        <FailureNotice what="The agent could not be read." error={failure} onRetry={() => void refetch()} />
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
          {agent.description} <Copyable text={agent.id} what="agent id" />
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
        aria-label="What to show"
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
    ...(maySeeNumbers ? [{ value: 'measured' as const, label: 'Measured' }] : []),
    { value: 'output', label: 'Output' },
    { value: 'versions', label: 'Versions' },
    { value: 'ratings', label: 'Ratings' },
  ]
}
