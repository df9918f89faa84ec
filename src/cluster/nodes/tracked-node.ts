import type { NodeModel } from '../probing/model-list.ts'
import type { ProbeResult } from '../probing/probe-node.ts'
import { type Health, type HealthRules, nextHealth, unknownHealth } from './health.ts'
import { createLatency } from './latency.ts'
import { type NodeAddress, nodeId } from './node-address.ts'
import type { NodeRecord } from './node-record.ts'

/**
 * An address with everything known about it. A configured address is a node from the start. A port of this machine is
 * one once somebody answered there properly, and no more when connections were refused for a while; what was measured
 * is kept for its return.
 */
export interface TrackedNode {
  readonly id: string
  readonly url: string
  readonly health: Health
  /** The node as others see it, or undefined while the address is not a node. */
  readonly record: NodeRecord | undefined
  readonly models: readonly NodeModel[]
  /** Takes in what a probe brought. */
  observe(result: ProbeResult, nowMs: number): void
  /** Lets time pass: ends a pause that is over. */
  tick(nowMs: number): void
}

const refusalsUntilGone = 3

export function createTrackedNode({ url, weight, source }: NodeAddress, rules: HealthRules): TrackedNode {
  const id = nodeId(url)
  const latency = createLatency()
  let health = unknownHealth
  let isNode = source === 'config'
  let refusals = 0
  let models: readonly NodeModel[] = []
  let loaded: readonly string[] = []
  let lastCheck: string | null = null
  let lastError: string | null = null
  let record = isNode ? writeRecord() : undefined

  function writeRecord(): NodeRecord {
    return Object.freeze({
      id,
      url,
      status: health.status,
      models: models.map(({ name }) => name),
      loaded_models: [...loaded],
      weight,
      latency: latency.summary(),
      last_check: lastCheck,
      last_error: lastError,
      source,
    })
  }

  function takeAnswer(result: ProbeResult & { readonly ok: true }): void {
    refusals = 0
    isNode = true
    models = result.models
    loaded = result.loaded.map(({ name }) => name)
    lastError = null
    latency.add(result.latencyMs)
  }

  function takeFailure(result: ProbeResult & { readonly ok: false }): void {
    refusals = result.refused ? refusals + 1 : 0
    lastError = result.error
    if (source === 'discovery' && refusals >= refusalsUntilGone) isNode = false
  }

  return {
    id,
    url,
    get health() {
      return health
    },
    get record() {
      return record
    },
    get models() {
      return isNode ? models : []
    },
    observe(result, nowMs) {
      lastCheck = new Date().toISOString()
      if (result.ok) takeAnswer(result)
      else takeFailure(result)
      const observation = result.ok ? 'good' : result.refused ? 'refused' : 'failed'
      health = isNode ? nextHealth(health, observation, nowMs, rules) : unknownHealth
      // What a node had in memory when it fell silent is no longer worth anything.
      if (health.status === 'unhealthy') loaded = []
      record = isNode ? writeRecord() : undefined
    },
    tick(nowMs) {
      const before = health
      health = nextHealth(health, 'time', nowMs, rules)
      if (health !== before && isNode) record = writeRecord()
    },
  }
}
