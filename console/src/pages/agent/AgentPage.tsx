import '../../theme/mantine-form.css'
import { Button, SegmentedControl } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { type Detail, DetailList } from '../../parts/DetailList.tsx'
import { describePrice } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import { AgentActions } from '../agents/AgentActions.tsx'
import { agentQuery, type WholeAgent } from '../agents/agent-queries.ts'
import {
  agentStates,
  describeCost,
  describeFee,
  describeLanguages,
  describeNeed,
  describePercent,
  describeRating,
  describeSeconds,
  describeShare,
  isLanguageModel,
} from '../agents/agent-words.ts'
import styles from './Agent.module.css'
import { AgentVersions } from './AgentVersions.tsx'
import { type AgentPageSearch, type AgentTab, readAgentPageSearch } from './agent-page-search.ts'
import { type AgentParameter, parametersOf } from './agent-parameters.ts'
import { RatingTab } from './RatingTab.tsx'
import { WorkflowsWith } from './WorkflowsWith.tsx'

const MeasuredTab = lazyPart(() => import('./MeasuredTab.tsx'))
const RunAgent = lazyPart(() => import('./RunAgent.tsx'))
const route = getRouteApi('/agents/$agent')

/** One agent: description, metrics, ratings, and the action to run it. */
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
  const goToList = useNavigate()
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
        <>
          {mayTry ? <EditAgent agent={agent} /> : null}
          {(mayRun || mayTry) && agent.status === 'active' ? (
            <Button size="compact-sm" onClick={() => go({ run: true })}>
              Run
            </Button>
          ) : null}
          {mayTry ? (
            <AgentActions
              agent={agent}
              label="More actions"
              isInRow={false}
              onDeleted={() => goToList({ to: '/agents' })}
            />
          ) : null}
        </>
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

/** The link to edit the agent; a built-in agent is edited as a copy. */
function EditAgent({ agent: { id, built_in: builtIn } }: { agent: WholeAgent }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      renderRoot={(props) =>
        builtIn ? (
          <Link to="/agents/new" search={{ from: id }} {...props} />
        ) : (
          <Link to="/agents/$agent/edit" params={{ agent: id }} {...props} />
        )
      }
    >
      {builtIn ? 'Copy and edit' : 'Edit'}
    </Button>
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

/** The output schema of an agent, and its saved definition. */
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

/** The summary of an agent: success rate, cost, duration, runs and rating. */
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

/** The capabilities, limits and pricing of an agent. */
function AboutAgent({ agent }: { agent: WholeAgent }) {
  const parameters = parametersOf(agent)
  return (
    <>
      <div className={styles['pair']}>
        <Section title="Overview">
          <DetailList details={whatItDoes(agent)} />
        </Section>
        <Section title="Limits and pricing">
          <DetailList details={limitsOf(agent)} />
        </Section>
      </div>
      {parameters.length === 0 ? null : (
        <Section title="Parameters">
          <Table label="Parameters" columns={columns} rows={parameters} rowKey={({ name }) => name} />
        </Section>
      )}
      <Section title="Used in workflows">
        <WorkflowsWith agent={agent.id} />
      </Section>
    </>
  )
}

function whatItDoes(agent: WholeAgent): Detail[] {
  const { model, works_without_model: worksWithout } = agent
  return [
    { name: 'State', value: <Status {...agentStates[agent.status]} /> },
    { name: 'Category', value: agent.category },
    { name: 'Capabilities', value: agent.capabilities.join(', ') },
    { name: 'Languages', value: describeLanguages(agent.supported_languages) },
    { name: 'Input formats', value: agent.input_types.join(', ') },
    { name: 'Output', value: agent.output_format },
    { name: 'Language model', value: <Status {...describeNeed(agent)} /> },
    {
      name: 'Model',
      value: isLanguageModel(model)
        ? modelText(model)
        : worksWithout
          ? 'none: the agent computes its result'
          : 'no default model: runs fail',
    },
  ]
}

function modelText({ id, input_cost: input, output_cost: output }: NonNullable<WholeAgent['model']>): string {
  if (input === null || output === null) return `${id}, price unknown`
  if (input === 0 && output === 0) return `${id}, free`
  return `${id}: ${describePrice(input)} in, ${describePrice(output)} out per million tokens`
}

function limitsOf({ configuration, pricing, built_in: builtIn }: WholeAgent): Detail[] {
  const { max_input_length: most, timeout, retry_limit: retries, supports_streaming: streams } = configuration
  return [
    { name: 'Max input', value: `${most.toLocaleString()} characters` },
    { name: 'Timeout', value: describeDuration(timeout) },
    { name: 'Retries', value: describeRetries(retries) },
    { name: 'Streaming', value: streams ? 'yes' : 'no' },
    { name: 'Surcharge', value: describeFee(pricing) },
    { name: 'Batch discount', value: discountText(pricing.bulk_discount) },
    { name: 'Enterprise price', value: `${describeShare(pricing.enterprise_rate)} of the list price` },
    { name: 'Source', value: builtIn ? 'built in' : 'custom' },
  ]
}

function describeRetries(retries: number): string {
  if (retries === 0) return 'none'
  return `up to ${retries}, when a check fails`
}

function discountText(discount: number): string {
  return discount === 0 ? 'none' : describeShare(discount)
}

const columns: ReadonlyArray<Column<AgentParameter>> = [
  { title: 'Parameter', value: ({ name }) => name, minWidth: 120, cell: ({ name }) => <code>{name}</code> },
  { title: 'Description', minWidth: 160, cell: ({ description }) => description || '–' },
  { title: 'Allowed values', cell: ({ choices }) => choices?.join(', ') ?? 'any' },
  {
    title: 'Default',
    value: ({ required, default: usual }) => (required ? 'required' : String(usual ?? '') || null),
    cell: ({ required, default: usual }) => (required ? 'required' : String(usual ?? '') || 'none'),
  },
]
