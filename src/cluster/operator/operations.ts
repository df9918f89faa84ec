import { kernelFailure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import type { Balancer } from '../balancing/balancer.ts'
import { type StrategyName, strategyNames } from '../balancing/strategies.ts'
import { clusterFailure } from '../errors.ts'
import { nodeId, parseNodeUrl } from '../nodes/node-address.ts'
import type { NodeRecord } from '../nodes/node-record.ts'
import type { NodeRegistry } from '../nodes/registry.ts'
import type { RuntimeName } from '../nodes/runtime.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import { applyNodeSettings } from './apply-settings.ts'
import {
  maxNodeSettings,
  type NodeSetting,
  type OperatorStore,
  type StrategySetting,
} from './operator-store.ts'

/** A node that an operator adds. */
export interface AddedNode {
  readonly url: string
  readonly weight: number
  /** Default: a probe recognises it. */
  readonly runtime?: RuntimeName | undefined
}

/** The changes of operators. Each is stored first and then applied; `by` is the id of the operator. */
export interface Operations extends AsyncDisposable {
  /** Applies the stored changes and follows those of other processes. Throws when they cannot be read. */
  restore(): Promise<void>
  add(node: AddedNode, by: string | null): Promise<NodeRecord>
  change(
    id: string,
    change: { readonly weight?: number | undefined; readonly draining?: boolean | undefined },
    by: string | null,
  ): Promise<NodeRecord>
  remove(id: string, by: string | null): Promise<void>
  setStrategy(strategy: StrategyName, by: string | null): Promise<void>
  /** The stored strategy; undefined when the one of the settings is in force. */
  strategySetting(): StrategySetting | undefined
}

interface OperationsOptions {
  readonly store: OperatorStore
  readonly registry: NodeRegistry
  readonly balancer: Balancer
  readonly log: Logger
}

const retryMs = 1000

export function createOperations({ store, registry, balancer, log }: OperationsOptions): Operations {
  const configuredStrategy = balancer.strategy
  let nodes: ReadonlyMap<string, NodeSetting> = new Map()
  let strategy: StrategySetting | undefined
  let loading: Promise<void> = Promise.resolve()
  let following: AsyncDisposable | undefined
  let retryTimer: NodeJS.Timeout | undefined
  let isClosed = false

  /** Loads are serialised: an older state must not replace a newer one. */
  function reload(): Promise<void> {
    loading = loading.catch(() => {}).then(load)
    return loading
  }

  async function load(): Promise<void> {
    const read = await store.read()
    if (isClosed) return
    const before = nodes
    nodes = new Map(read.nodes.map((setting) => [setting.id, setting]))
    applyNodeSettings(registry, before, nodes)
    strategy = read.strategy
    balancer.strategy = strategyNames.find((name) => name === strategy?.strategy) ?? configuredStrategy
  }

  /** The settings in force stay until the store can be read again. */
  function followChange(): void {
    clearTimeout(retryTimer)
    if (isClosed) return
    reload().catch((error: unknown) => {
      log.warn({ err: error }, 'reading the changes of operators failed, retrying in 1 s')
      clearTimeout(retryTimer)
      if (!isClosed) retryTimer = setTimeout(followChange, retryMs)
    })
  }

  function find(id: string): TrackedNode {
    const node = registry.find(id)
    // A discovered port without a response yet is watched, but is not a node.
    if (node?.record === undefined) throw clusterFailure('node_not_found', { details: { id } })
    return node
  }

  function recordOf(id: string): NodeRecord {
    const record = registry.find(id)?.record
    // Another operator may have removed it meanwhile.
    if (record === undefined) throw clusterFailure('node_not_found', { details: { id } })
    return record
  }

  // A node that appears later, such as a pod, gets what operators have set for it.
  registry.watchWith({
    added: (node) => applyNodeSettings(registry, new Map(), nodes, node.id),
    removed() {},
    disturbed() {},
  })

  return {
    async restore() {
      following = await store.follow(followChange)
      await reload()
    },
    async add({ url: given, weight, runtime = null }, by) {
      const url = readUrl(given)
      const id = nodeId(url)
      const known = registry.find(id)
      if (known?.isNamedBy('config') === true || known?.isNamedBy('runtime') === true) {
        throw kernelFailure('conflict', { message: `${url} is a node already, as ${id}.`, details: { id } })
      }
      if ([...nodes.values()].filter(({ added }) => added).length >= maxNodeSettings) {
        throw kernelFailure('conflict', {
          message: `Operators have added ${maxNodeSettings} nodes, which is the limit. Remove one first.`,
        })
      }
      await store.saveNode({ id, url, added: true, removed: false, weight, draining: false, runtime }, by)
      await reload()
      return recordOf(id)
    },
    async change(id, { weight, draining }, by) {
      const { url } = find(id)
      await store.saveNode(
        { id, url, ...(weight !== undefined && { weight }), ...(draining !== undefined && { draining }) },
        by,
      )
      await reload()
      return recordOf(id)
    },
    async remove(id, by) {
      const node = find(id)
      const { url } = node
      // The setting of a node that only operators named needs not be kept.
      if (node.isNamedBy('runtime') && node.sourceCount === 1) await store.forgetNode(id)
      else
        await store.saveNode(
          { id, url, added: false, removed: true, weight: null, draining: false, runtime: null },
          by,
        )
      await reload()
    },
    async setStrategy(wanted, by) {
      await store.saveStrategy(wanted, by)
      await reload()
    },
    strategySetting: () => strategy,
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(retryTimer)
      await following?.[Symbol.asyncDispose]()
      await loading.catch(() => {})
    },
  }
}

function readUrl(given: string): string {
  try {
    return parseNodeUrl(given)
  } catch (error) {
    const message = error instanceof Error ? error.message : 'is not a valid address'
    throw kernelFailure('invalid_input', {
      message: `url ${message}`,
      problems: [{ path: 'url', message, code: 'invalid' }],
    })
  }
}
