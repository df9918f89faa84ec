import type { NodeModel } from '../probing/model-list.ts'
import type { ProbeResult } from '../probing/probe-node.ts'
import { ConcurrencyLimit } from './concurrency.ts'
import {
  type Health,
  type HealthRules,
  nextHealth,
  type RequestObservation,
  unknownHealth,
} from './health.ts'
import { createHistory, type NodeHistory } from './history.ts'
import { canonicalModelName } from './model-name.ts'
import { type NodeAddress, type NodeSource, nodeId, nodeSources } from './node-address.ts'
import { createNodeLoad, type NodeLoad } from './node-load.ts'
import type { NodeRecord } from './node-record.ts'
import type { RuntimeName } from './runtime.ts'

/**
 * An address with its measurements. An address named by a source is a node. A discovered port of this machine is a node once a
 * runtime has responded there, until connections have been refused for some time; its measurements are kept for its return.
 */
export interface TrackedNode {
  readonly id: string
  readonly url: string
  readonly weight: number
  readonly health: Health
  readonly load: NodeLoad
  /** The last minutes, slice by slice. */
  readonly history: NodeHistory
  /** Accepts new requests: healthy and not disabled by an operator. */
  readonly isReady: boolean
  /** The public record, or undefined while the address is not a node. */
  readonly record: NodeRecord | undefined
  readonly models: readonly NodeModel[]
  readonly loadedModels: readonly NodeModel[]
  readonly version: string | null
  /** Null before the first response, unless it is set. */
  readonly runtime: RuntimeName | null
  /** The runtime that a source or an operator has set. */
  readonly requiredRuntime: RuntimeName | null
  /** Requests that the node processes at once, as it reports; null without a report. */
  readonly maxConcurrency: number | null
  /** By canonical name. */
  has(model: string): boolean
  /** The name of a model as the node lists it. */
  listedName(model: string): string | undefined
  hasLoaded(model: string): boolean
  /** The node reported that a listed model is missing. Applies until the next probe. */
  lacks(model: string): void
  /** Applies the result of a probe. */
  observe(result: ProbeResult, nowMs: number): void
  /** Applies the result of a request. */
  observeRequest(observation: RequestObservation, error: string | null, nowMs: number): void
  /** Ends an expired pause. */
  tick(nowMs: number): void
  /** Adds a source of this address, or changes its weight. */
  join(address: NodeAddress): void
  leave(source: NodeSource): void
  isNamedBy(source: NodeSource): boolean
  readonly sourceCount: number
  /** The address is no longer a node. If it returns, its state starts anew; the measurements stay. */
  retire(): void
  /** Applies what operators have set for this node. */
  operate(setting: OperatedNode | undefined): void
}

/** What operators have set for a node. */
interface OperatedNode {
  /** Null: the weight of the source. */
  readonly weight: number | null
  readonly draining: boolean
  readonly changedBy: string | null
  readonly changedAt: Date
}

const refusalsUntilGone = 3

export function createTrackedNode(address: NodeAddress, rules: HealthRules): TrackedNode {
  const { url } = address
  const id = nodeId(url)
  const latency = createLatency()
  const history = createHistory()
  const load = createNodeLoad(history)
  const sources = new Map<NodeSource, NodeAddress>([[address.source, address]])
  const concurrency = new ConcurrencyLimit()
  let detected: RuntimeName | null = null
  let operated: OperatedNode | undefined
  let health = unknownHealth
  let handledHere = false
  let refusals = 0
  let models: readonly NodeModel[] = []
  let loaded: readonly NodeModel[] = []
  let names: ReadonlyMap<string, string> = new Map()
  let loadedNames: ReadonlySet<string> = new Set()
  const lacking = new Set<string>()
  let version: string | null = null
  let lastCheck: string | null = null
  let lastError: string | null = null

  const source = (): NodeSource => nodeSources.find((candidate) => sources.has(candidate)) ?? 'discovery'
  const weight = (): number => operated?.weight ?? sources.get(source())?.weight ?? 1
  const required = (): RuntimeName | null =>
    nodeSources.map((candidate) => sources.get(candidate)?.runtime).find((name) => name !== undefined) ?? null
  const isNode = (): boolean => handledHere || source() !== 'discovery'

  function writeRecord(): NodeRecord {
    return Object.freeze({
      id,
      url,
      status: operated?.draining === true ? 'draining' : health.status,
      models: models.map(({ name }) => name),
      loaded_models: loaded.map(({ name }) => name),
      weight: weight(),
      active_connections: load.active,
      requests: load.requests,
      failures: load.failures,
      latency: latency.summary(),
      last_check: lastCheck,
      last_error: lastError,
      runtime: required() ?? detected,
      version,
      max_concurrency: concurrency.value,
      source: source(),
      changed_by: operated?.changedBy ?? null,
      changed_at: operated?.changedAt.toISOString() ?? null,
    })
  }

  function takeModels(nowLoaded: readonly NodeModel[], all = models): void {
    models = all
    loaded = nowLoaded
    names = new Map(models.map(({ name }) => [canonicalModelName(name), name]))
    loadedNames = new Set(loaded.map(({ name }) => canonicalModelName(name)))
  }

  function takeResponse(result: ProbeResult & { readonly ok: true }): void {
    refusals = 0
    handledHere = true
    takeModels(result.loaded, result.models)
    lacking.clear()
    version = result.version
    detected = result.runtime
    concurrency.observe(result.load)
    lastError = null
    latency.add(result.latencyMs)
    history.addProbe(result.latencyMs)
  }

  function takeFailure(result: ProbeResult & { readonly ok: false }): void {
    refusals = result.refused ? refusals + 1 : 0
    lastError = result.error
    if (refusals >= refusalsUntilGone) handledHere = false
  }

  function moveTo(next: Health): void {
    health = next
    // The loaded models of an unreachable node are unknown.
    if (health.status === 'unhealthy' && loaded.length > 0) takeModels([])
  }

  return {
    id,
    url,
    load,
    get history() {
      return history.read()
    },
    get weight() {
      return weight()
    },
    get health() {
      return health
    },
    get isReady() {
      return health.status === 'healthy' && operated?.draining !== true
    },
    get record() {
      return isNode() ? writeRecord() : undefined
    },
    get models() {
      return isNode() ? models : []
    },
    get loadedModels() {
      return isNode() ? loaded : []
    },
    get version() {
      return version
    },
    get runtime() {
      return required() ?? detected
    },
    get requiredRuntime() {
      return required()
    },
    get maxConcurrency() {
      return concurrency.value
    },
    listedName: (model) => names.get(model),
    has: (model) => names.has(model) && !lacking.has(model),
    hasLoaded: (model) => loadedNames.has(model),
    lacks: (model) => void lacking.add(model),
    observe(result, nowMs) {
      lastCheck = new Date().toISOString()
      if (result.ok) takeResponse(result)
      else takeFailure(result)
      const observation = result.ok ? 'good' : result.refused ? 'refused' : 'failed'
      moveTo(isNode() ? nextHealth(health, observation, nowMs, rules) : unknownHealth)
    },
    observeRequest(observation, error, nowMs) {
      if (error !== null) lastError = error
      moveTo(nextHealth(health, observation, nowMs, rules))
    },
    tick(nowMs) {
      moveTo(nextHealth(health, 'time', nowMs, rules))
    },
    join: (named) => void sources.set(named.source, named),
    leave: (leaving) => void sources.delete(leaving),
    retire() {
      sources.clear()
      operated = undefined
      handledHere = false
      health = unknownHealth
    },
    isNamedBy: (candidate) => sources.has(candidate),
    get sourceCount() {
      return sources.size
    },
    operate(setting) {
      operated = setting
    },
  }
}

/** Response time of a node in milliseconds; null before the first response. */
interface LatencySummary {
  readonly p50: number | null
  readonly p95: number | null
  readonly ewma: number | null
}

interface Latency {
  add(ms: number): void
  summary(): LatencySummary
}

const remembered = 64
const shareOfTheNewest = 0.2

/** Keeps the last response times for percentiles, and an exponentially weighted average of all. */
export function createLatency(): Latency {
  const recent: number[] = []
  let ewma: number | null = null
  return {
    add(ms) {
      if (recent.length === remembered) recent.shift()
      recent.push(ms)
      ewma = ewma === null ? ms : ewma + shareOfTheNewest * (ms - ewma)
    },
    summary() {
      const sorted = recent.toSorted((left, right) => left - right)
      return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), ewma: rounded(ewma) }
    },
  }
}

function percentile(sorted: readonly number[], share: number): number | null {
  return rounded(sorted[Math.ceil(sorted.length * share) - 1] ?? null)
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10
}
