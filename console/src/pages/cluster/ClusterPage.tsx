import { Button, NativeSelect } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useEffect, useId } from 'react'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status, type Tone } from '../../parts/Status.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { type SummaryCell, SummaryStrip } from '../../parts/SummaryStrip.tsx'
import {
  type ClusterNode,
  type ClusterView,
  clusterQuery,
  type NodeHistory,
  type StrategyName,
} from './cluster-query.ts'
import { describeLine, describeMilliseconds, latestOf, runtimes, strategies, sumUp } from './node-words.ts'
import { useLiveCluster } from './use-live-cluster.ts'
import '../../theme/mantine-form.css'
import { bodyOf } from '../../api/api.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { notify } from '../../shell/notify.ts'
import { apiReferencePath } from '../../shell/pages.ts'
import styles from './ClusterPage.module.css'
import { DrainButton } from './DrainButton.tsx'
import { NodeStatus } from './NodeStatus.tsx'
import { drawSparkline } from './sparkline-path.ts'

const loadNodeDrawer = () => import('./NodeDrawer.tsx')
const NodeDrawer = lazyPart(loadNodeDrawer)
const AddNode = lazyPart(() => import('./NodeDrawer.tsx').then(({ AddNode: it }) => ({ default: it })))
const route = getRouteApi('/cluster')

/** The live state of the model nodes, and the actions of an operator. */
export function ClusterPage() {
  const { node: openId, create } = route.useSearch()
  const navigate = route.useNavigate()
  const mayOperate = useMayOperate()
  const { data: cluster, failure, refetch, streamState, refusal } = useLiveCluster()
  const refresh = () => void refetch()

  useEffect(() => {
    // The drawer is preloaded so that a row opens at once. A failed preload is retried on opening.
    void loadNodeDrawer().catch(() => undefined)
  }, [])

  const openAdd = () => void navigate({ search: { create: true } })
  const open = (id: string) => void navigate({ search: { node: id }, resetScroll: false })
  const close = () => void navigate({ search: {}, resetScroll: false })

  return (
    <Page
      title="Cluster"
      lead={
        mayOperate
          ? 'Model requests are balanced across these nodes. Changes made here are stored and apply to all replicas.'
          : `Model requests are balanced across these nodes. Changing them requires the permission “${operatorPermission}”.`
      }
      aside={
        <>
          {cluster === undefined ? null : <StreamStatus state={streamState} />}
          {mayOperate ? (
            <Button size="compact-sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openAdd}>
              Add node
            </Button>
          ) : null}
        </>
      }
    >
      {cluster === undefined && failure !== null ? (
        <FailureNotice what="The cluster could not be loaded." error={failure} onRetry={refresh} />
      ) : (
        <>
          {refusal === null ? null : (
            <FailureNotice
              what="The live stream is interrupted; the values below are the last known."
              error={refusal}
              onRetry={refresh}
            />
          )}
          <ClusterSummary cluster={cluster} mayOperate={mayOperate} />
          <Section title="Nodes" note={countText(cluster?.nodes)}>
            <NodeTable
              nodes={cluster?.nodes}
              openId={openId}
              mayOperate={mayOperate}
              onOpen={open}
              onAdd={openAdd}
              onRefresh={refresh}
            />
          </Section>
        </>
      )}
      <Suspense>
        {create === true && mayOperate ? <AddNode onClose={close} /> : null}
        {openId === undefined || cluster === undefined ? null : (
          <NodeDrawer
            key={openId}
            id={openId}
            node={cluster.nodes.find(({ id }) => id === openId)}
            mayOperate={mayOperate}
            onClose={close}
          />
        )}
      </Suspense>
    </Page>
  )
}

function countText(nodes: readonly ClusterNode[] | undefined): string | undefined {
  if (nodes === undefined || nodes.length === 0) return undefined
  return `${nodes.filter(({ status }) => status === 'healthy').length} of ${nodes.length} healthy`
}

const operatorPermission = 'administer cluster'

/** Whether the account may change the cluster; false until the account is loaded, so that no button flashes. */
function useMayOperate(): boolean {
  return useQuery(profileQuery(useApi())).data?.permissions.includes(operatorPermission) === true
}

const states: Readonly<Record<ClusterView['status'], { tone: Tone; word: string }>> = {
  healthy: { tone: 'good', word: 'Healthy' },
  degraded: { tone: 'warn', word: 'Degraded' },
  critical: { tone: 'bad', word: 'Critical' },
}

/** The summary of the cluster. */
function ClusterSummary({ cluster, mayOperate }: { cluster: ClusterView | undefined; mayOperate: boolean }) {
  return <SummaryStrip cells={cellsOf(cluster, mayOperate)} isLoading={cluster === undefined} />
}

function cellsOf(cluster: ClusterView | undefined, mayOperate: boolean): readonly SummaryCell[] {
  if (cluster === undefined) {
    return ['Status', 'Active requests', 'Last 10 minutes', 'Strategy'].map((name) => ({ name }))
  }
  return [
    {
      name: 'Status',
      value: <Status {...states[cluster.status]} />,
      note: `${cluster.message} Probed by ${cluster.instance}.`,
    },
    { name: 'Active requests', ...describeLoad(cluster) },
    { name: 'Last 10 minutes', ...describePast(cluster) },
    {
      name: 'Strategy',
      value: <StrategyChoice strategy={cluster.strategy} mayOperate={mayOperate} />,
      note: null,
    },
  ]
}

function describeLoad({ nodes, queues }: ClusterView): Omit<SummaryCell, 'name'> {
  const active = nodes.reduce((sum, node) => sum + node.active_connections, 0)
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  const models = queues.map(({ model }) => model).join(', ')
  return {
    value: active === 1 ? '1 request' : `${active.toLocaleString()} requests`,
    note: waiting === 0 ? '0 queued' : <Status tone="warn" word={`${waiting} queued for ${models}`} />,
  }
}

function describePast({ nodes }: ClusterView): Omit<SummaryCell, 'name'> {
  const known = nodes.flatMap(({ history }) => history ?? [])
  if (known.length < nodes.length) return {}
  const sums = known.map(sumUp)
  const requests = sums.reduce((sum, past) => sum + past.requests, 0)
  const failures = sums.reduce((sum, past) => sum + past.failures, 0)
  return {
    value: requests === 1 ? '1 request' : `${requests.toLocaleString()} requests`,
    note: failures === 0 ? '0 failed' : <Status tone="warn" word={`${failures.toLocaleString()} failed`} />,
  }
}

const choices = Object.entries(strategies).map(([value, { title }]) => ({ value, label: title }))

/** The load balancing strategy; users with the permission can change it. */
function StrategyChoice({ strategy, mayOperate }: { strategy: string; mayOperate: boolean }) {
  const api = useApi()
  const cache = useQueryClient()
  const aboutId = useId()
  const { mutate, variables, isPending } = useMutation({
    mutationFn: (wanted: StrategyName) =>
      bodyOf(api.client.PUT('/api/cluster/strategy', { body: { strategy: wanted } })),
    onSuccess: (answer) =>
      void cache.setQueryData(clusterQuery(api).queryKey, (view) => view && { ...view, ...answer }),
    onError: (error) => notify({ title: 'The strategy was not changed', error }),
  })
  const shown = isPending ? variables : strategy
  const known = isKnown(shown) ? strategies[shown] : { title: shown, about: '' }
  return (
    <>
      {mayOperate ? (
        <NativeSelect
          size="xs"
          aria-label="Strategy"
          aria-describedby={aboutId}
          className={styles['choice'] ?? ''}
          data={isKnown(shown) ? choices : [...choices, { value: shown, label: shown }]}
          value={shown}
          onChange={({ currentTarget: { value } }) => {
            if (isKnown(value)) mutate(value)
          }}
        />
      ) : (
        known.title
      )}
      <span id={aboutId} className={styles['about']}>
        {known.about}
      </span>
    </>
  )
}

function isKnown(strategy: string): strategy is StrategyName {
  return Object.hasOwn(strategies, strategy)
}

interface SparklineProps {
  readonly values: ReadonlyArray<number | null>
  /** The accessible description of the sparkline. */
  readonly label: string
  readonly quiet?: boolean
}

const size = { width: 96, height: 24 }

/** A sparkline of the last ten minutes. */
function Sparkline({ values, label, quiet = false }: SparklineProps) {
  return (
    <svg
      className={styles['sparkline']}
      role="img"
      aria-label={label}
      data-quiet={quiet}
      width={size.width}
      height={size.height}
      viewBox={`0 0 ${size.width} ${size.height}`}
    >
      <path d={drawSparkline(values, size)} />
    </svg>
  )
}

const columns: ReadonlyArray<Column<ClusterNode>> = [
  {
    title: 'Node',
    placeholderWidth: 160,
    value: ({ url }) => url,
    text: ({ url, runtime, models }) => [url, runtime === null ? '' : runtimes[runtime], ...models].join(' '),
    cell: ({ url }) => <code className={styles['url']}>{url}</code>,
  },
  {
    title: 'State',
    value: ({ status }) => status,
    minWidth: 120,
    cell: (node) => <NodeStatus node={node} />,
  },
  {
    title: 'Models',
    value: ({ models }) => models.length,
    numeric: true,
    minor: true,
    placeholderWidth: 64,
    cell: (node) => <ModelCount node={node} />,
  },
  {
    title: 'Active',
    numeric: true,
    value: ({ active_connections: active }) => active,
    minor: true,
    placeholderWidth: 16,
    cell: ({ active_connections }) => active_connections.toLocaleString(),
  },
  {
    title: 'Weight',
    numeric: true,
    minor: true,
    placeholderWidth: 16,
    value: ({ weight }) => weight,
    cell: ({ weight }) => weight,
  },
  {
    title: 'Latency',
    value: ({ history }) => latencyOf(history)?.latest ?? null,
    numeric: true,
    placeholderWidth: 140,
    cell: ({ history, url }) => <NodeLatency history={history} url={url} />,
  },
]

const drainColumn: Column<ClusterNode> = {
  title: 'Drain',
  numeric: true,
  quiet: true,
  placeholderWidth: 48,
  cell: (node) => <DrainButton node={node} size="compact-xs" />,
}

const operatorColumns = [...columns, drainColumn]

function ModelCount({ node: { models, loaded_models } }: { node: ClusterNode }) {
  return (
    <span className={styles['models']} title={models.join('\n')}>
      {models.length}
      {loaded_models.length === 0 ? null : (
        <span className={styles['loaded']}>{loaded_models.length} loaded</span>
      )}
    </span>
  )
}

interface NodeTableProps {
  readonly nodes: readonly ClusterNode[] | undefined
  readonly openId: string | undefined
  readonly mayOperate: boolean
  readonly onOpen: (id: string) => void
  readonly onAdd: () => void
  readonly onRefresh: () => void
}

/** The model nodes. A row opens the details of its node. */
function NodeTable({ nodes, openId, mayOperate, onOpen, onAdd, onRefresh }: NodeTableProps) {
  if (nodes?.length === 0) {
    return (
      <EmptyState
        sentence={`No model nodes yet. Start Ollama on this machine (“ollama serve”) and it is discovered automatically, or list other nodes, such as vLLM or llama.cpp servers, in CLUSTER_NODES${mayOperate ? ', or add one here' : ''}.`}
        action={
          <Button size="compact-sm" variant="default" onClick={mayOperate ? onAdd : onRefresh}>
            {mayOperate ? 'Add your first node' : 'Check again'}
          </Button>
        }
        link={<a href={apiReferencePath}>Add nodes through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Nodes"
      name="main"
      columns={mayOperate ? operatorColumns : columns}
      rows={nodes}
      rowKey={({ id }) => id}
      placeholderRows={2}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
    />
  )
}

/** Time to first byte of a node; without requests, the latency of its probe. */
/** The latency of a node: of the first byte of its answers, or of its probes while it has none. */
function latencyOf(history: NodeHistory | undefined) {
  if (history === undefined) return undefined
  const isAsked = history.first_byte_ms.some((ms) => ms !== null)
  const values = isAsked ? history.first_byte_ms : history.probe_ms
  if (values.every((ms) => ms === null)) return undefined
  return { isAsked, values, latest: latestOf(values) }
}

function NodeLatency({ history, url }: { history: NodeHistory | undefined; url: string }) {
  const latency = latencyOf(history)
  if (latency === undefined) return '–'
  const { isAsked, values, latest } = latency
  const what = isAsked ? 'first byte' : 'probe'
  return (
    <span className={styles['latency']}>
      <Sparkline values={values} label={`${url}, ${what}: ${describeLine(values)}`} quiet={!isAsked} />
      <span className={styles['value']}>
        {latest === undefined ? '–' : describeMilliseconds(latest)}
        <span className={styles['what']}>{what}</span>
      </span>
    </span>
  )
}
