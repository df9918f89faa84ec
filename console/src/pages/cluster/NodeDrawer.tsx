import { NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { bodyOf, done } from '../../api/api.ts'
import type { Problem } from '../../api/api-failure.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Copyable } from '../../parts/Copyable.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { describeProblem } from '../../parts/describe-problem.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { ClusterNode, NodeHistory } from './cluster-query.ts'
import { DrainButton } from './DrainButton.tsx'
import styles from './NodeDrawer.module.css'
import { NodeStatus } from './NodeStatus.tsx'
import { describeLine, describeRuntime, runtimes, sources, sumUp } from './node-words.ts'
import { drawSparkline, slots } from './sparkline-path.ts'
import { useClusterNews, useNodeAnswer } from './use-live-cluster.ts'

interface NodeDrawerProps {
  readonly id: string
  /** Undefined when no node has this ID. */
  readonly node: ClusterNode | undefined
  readonly mayOperate: boolean
  readonly onClose: () => void
}

/** One node: state, recent load, models, and its settings. */
export default function NodeDrawer({ id, node, mayOperate, onClose }: NodeDrawerProps) {
  const [covered, setCovered] = useState(false)
  return (
    <SideDrawer
      title={node?.url ?? 'Node'}
      onClose={onClose}
      returnTo={() => findRow(id)}
      covered={covered}
      holdsInput={mayOperate}
    >
      {node === undefined ? (
        <p>The cluster has no node with the ID {id}; it may have been removed.</p>
      ) : (
        <>
          <DetailBox details={detailsOf(node)} />
          <NodePast history={node.history} />
          <NodeModels node={node} />
          {mayOperate ? (
            <>
              <EditWeight key={id} node={node} />
              <NodeOperations node={node} onCovered={setCovered} onRemoved={onClose} />
            </>
          ) : null}
        </>
      )}
    </SideDrawer>
  )
}

function detailsOf(node: ClusterNode) {
  const { id, url, requests, failures, weight, source, last_check, changed_at, changed_by } = node
  const { max_concurrency: concurrency } = node
  return [
    { name: 'State', value: <NodeStatus node={node} /> },
    { name: 'Address', value: <Copyable text={url} what="address" /> },
    { name: 'ID', value: <Copyable text={id} what="node ID" /> },
    { name: 'Source', value: sources[source] },
    { name: 'Runtime', value: describeRuntime(node) },
    { name: 'Weight', value: weight },
    ...(concurrency === null ? [] : [{ name: 'Reported concurrency', value: concurrency.toLocaleString() }]),
    { name: 'Active requests', value: node.active_connections.toLocaleString() },
    {
      name: 'Since start',
      value: `${requests.toLocaleString()} ${requests === 1 ? 'request' : 'requests'}, ${failures.toLocaleString()} failed`,
    },
    { name: 'Checked', value: last_check === null ? 'never' : <RelativeTime at={last_check} /> },
    ...(changed_at === null ? [] : [{ name: 'Changed', value: <RelativeTime at={changed_at} /> }]),
    ...(changed_by === null
      ? []
      : [{ name: 'Changed by', value: <Copyable text={changed_by} what="account ID" /> }]),
  ]
}

/** The last ten minutes of a node: requests, failures, time to first byte and probe latency. */
function NodePast({ history }: { history: NodeHistory | undefined }) {
  if (history === undefined) return null
  const { requests, failures } = sumUp(history)
  const answered = history.first_byte_ms.some((ms) => ms !== null)
  return (
    <DrawerSection title="Last 10 minutes">
      <HistoryBars
        title="Requests"
        values={history.requests}
        total={requests === 1 ? '1 request' : `${requests.toLocaleString()} requests`}
      />
      {failures === 0 ? null : <Status tone="warn" word={`${failures.toLocaleString()} failed`} />}
      {answered ? <HistoryLine title="First byte" values={history.first_byte_ms} /> : null}
      <HistoryLine title="Probe" values={history.probe_ms} quiet />
    </DrawerSection>
  )
}

/** The models of a node, loaded ones first. */
function NodeModels({ node: { models, loaded_models } }: { node: ClusterNode }) {
  const loaded = new Set(loaded_models)
  const sorted = models.toSorted((left, right) => Number(loaded.has(right)) - Number(loaded.has(left)))
  return (
    <DrawerSection title="Models">
      {models.length === 0 ? (
        <p className={styles['none']}>No models reported yet.</p>
      ) : (
        <ul className={styles['models']}>
          {sorted.map((name) => (
            <li key={name}>
              <code>{name}</code>
              {loaded.has(name) ? <span className={styles['loaded']}>loaded</span> : null}
            </li>
          ))}
        </ul>
      )}
    </DrawerSection>
  )
}

/** The form of a node's weight. */
function EditWeight({ node: { id, weight } }: { node: ClusterNode }) {
  const show = useNodeAnswer()
  // Until the user types, the field shows the node’s current weight.
  const [draft, setDraft] = useState<string>()
  const submission = useSubmission({
    fields: ['weight'],
    send: ({ client }) =>
      show(id, () =>
        bodyOf(
          client.PATCH('/api/cluster/nodes/{id}', {
            params: { path: { id } },
            body: { weight: Number(draft ?? weight) },
          }),
        ),
      ),
    async onDone(node) {
      setDraft(undefined)
      await notify({
        title: `${node.url} now has the weight ${node.weight}`,
        message: 'Applies from the next request.',
      })
    },
  })
  return (
    <DrawerSection title="Load balancing">
      <Form submission={submission} submitLabel="Save weight" failureSentence="The weight was not changed.">
        <WeightField
          weight={draft ?? String(weight)}
          onChange={setDraft}
          error={submission.problemOf('weight')}
        />
      </Form>
    </DrawerSection>
  )
}

interface NodeOperationsProps {
  readonly node: ClusterNode
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
  readonly onRemoved: () => void
}

/** The actions to drain and to remove a node. */
function NodeOperations({ node, onCovered, onRemoved }: NodeOperationsProps) {
  const tell = useClusterNews()
  const [asking, setAsking] = useState(false)
  const ask = (wanted: boolean) => {
    setAsking(wanted)
    onCovered(wanted)
  }
  return (
    <DrawerSection
      title="Maintenance"
      about="A draining node finishes its active requests and receives no new ones. Drain it before a restart or an update."
      ways={
        <>
          <DrainButton node={node} size="sm" />
          <DangerButton kind="ask" onClick={() => ask(true)}>
            Remove…
          </DangerButton>
        </>
      }
    >
      {asking ? (
        <ConfirmDialog
          title={`Remove ${node.url}?`}
          confirmLabel="Remove node"
          failureSentence="The node was not removed."
          send={({ client }) =>
            done(client.DELETE('/api/cluster/nodes/{id}', { params: { path: { id: node.id } } }))
          }
          onDone={() => {
            tell({ event: 'node_removed', data: { node } })
            onRemoved()
          }}
          onClose={() => ask(false)}
        >
          <p>
            The node finishes its active requests and receives no new ones. It stays removed until an operator
            adds it again,{' '}
            {node.source === 'runtime'
              ? 'unless another source lists it.'
              : 'even if another source lists it.'}
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}

const size = { width: 480, height: 48 }

interface LineProps {
  readonly title: string
  readonly values: ReadonlyArray<number | null>
  readonly quiet?: boolean
}

/** A chart of milliseconds over the last ten minutes. */
function HistoryLine({ title, values, quiet = false }: LineProps) {
  return (
    <Chart title={title} words={describeLine(values)}>
      <path className={styles['line']} data-quiet={quiet} d={drawSparkline(values, size)} />
    </Chart>
  )
}

interface BarsProps {
  readonly title: string
  readonly values: readonly number[]
  readonly total: string
}

/** A chart of counts over the last ten minutes. */
function HistoryBars({ title, values, total }: BarsProps) {
  const top = Math.max(...values, 1)
  const step = size.width / slots
  return (
    <Chart title={title} words={total}>
      {values.map((value, index) => {
        const height = (value / top) * size.height
        const slot = slots - values.length + index
        return (
          <rect
            key={slot}
            className={styles['bar']}
            x={slot * step + 1}
            y={size.height - height}
            width={step - 2}
            height={height}
          />
        )
      })}
    </Chart>
  )
}

function Chart({ title, words, children }: { title: string; words: string; children: ReactNode }) {
  return (
    <figure className={styles['chart']}>
      <figcaption>
        <span>{title}</span>
        <span className={styles['words']}>{words}</span>
      </figcaption>
      <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden>
        {children}
      </svg>
    </figure>
  )
}

const runtimeChoices = [
  { value: '', label: 'Automatic' },
  ...Object.entries(runtimes).map(([value, label]) => ({ value, label })),
]

function isRuntime(value: string): value is keyof typeof runtimes {
  return Object.hasOwn(runtimes, value)
}

/** The form that adds a running node by its URL. */
export function AddNode({ onClose }: { onClose: () => void }) {
  const show = useNodeAnswer()
  const [url, setUrl] = useState('')
  const [weight, setWeight] = useState('1')
  const [runtime, setRuntime] = useState('')
  const submission = useSubmission({
    fields: ['url', 'weight', 'runtime'],
    send: ({ client }) => {
      const body = { url: url.trim(), weight: Number(weight), ...(isRuntime(runtime) && { runtime }) }
      return show(undefined, () => bodyOf(client.POST('/api/cluster/nodes', { body })))
    },
    async onDone(node) {
      onClose()
      await notify({
        title: `${node.url} is added`,
        message: 'It receives requests as soon as its models are known.',
      })
    },
  })
  const { problemOf } = submission
  return (
    <SideDrawer title="Add node" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Add node"
        failureSentence="The node was not added."
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label="Address"
          description="URL of an Ollama or OpenAI-compatible server, such as vLLM or llama.cpp, reachable from the cluster."
          placeholder="http://gpu-1:11434"
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={url}
          onChange={(change) => setUrl(change.currentTarget.value)}
          error={problemOf('url', describeUrlProblem)}
        />
        <NativeSelect
          label="Runtime"
          description="Recognised by the first probe, unless you choose it."
          data={runtimeChoices}
          value={runtime}
          onChange={(change) => setRuntime(change.currentTarget.value)}
          error={problemOf('runtime')}
        />
        <WeightField weight={weight} onChange={setWeight} error={problemOf('weight')} />
      </Form>
    </SideDrawer>
  )
}

/** Removes the quoted URL from the message: the field above shows it. */
function describeUrlProblem({ message }: Problem): string {
  return describeProblem({ message: message.replace(/^has ".*", which /, '') })
}

interface WeightFieldProps {
  readonly weight: string
  readonly onChange: (weight: string) => void
  readonly error: string | undefined
}

/** The weight of a node in load balancing. */
function WeightField({ weight, onChange, error }: WeightFieldProps) {
  return (
    <TextInput
      type="number"
      label="Weight"
      description="Share of requests relative to other nodes: weight 2 receives twice as many as weight 1. At most 1000."
      min={1}
      max={1000}
      step={1}
      classNames={{ wrapper: styles['short'] ?? '' }}
      value={weight}
      onChange={(change) => onChange(change.currentTarget.value)}
      error={error}
    />
  )
}
