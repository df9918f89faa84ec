import { performance } from 'node:perf_hooks'
import { Agent, type Dispatcher, request } from 'undici'
import type { Logger } from '#kernel/telemetry'
import { type ClusterOverview, type ClusterView, parseClusterOverview } from './cluster-overview.ts'

export interface RemoteClusterOptions {
  readonly url: string
  readonly apiKey: string | undefined
  readonly log: Logger
  /** How long the service may take to answer. */
  readonly timeoutMs: number
  /** How long its answer, or its silence, holds before it is asked again. */
  readonly freshMs: number
}

const maxResponseBytes = 16 * 1024 * 1024

/**
 * A cluster service in another process, asked when somebody wants to know.
 *
 * | it                   | the models                        | their nodes              |
 * |----------------------|-----------------------------------|--------------------------|
 * | answers              | as it says                        | as it says               |
 * | does not             | as it last said                   | none: nobody vouches for them |
 * | has never answered   | none                              | none                     |
 */
export function viewRemoteCluster(options: RemoteClusterOptions): ClusterView {
  const { url, log, freshMs } = options
  // The address is an operator's setting and means a private network, which the guard for outbound calls exists to refuse;
  // so this is plain undici with bounds of its own. No connection outlives its answer, so none is found closed later.
  const agent = new Agent({ pipelining: 0, connections: 1, maxResponseSize: maxResponseBytes })
  let known: ClusterOverview = { models: [], nodes: [] }
  let trouble: string | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  let closed = false

  async function ask(): Promise<void> {
    try {
      known = await fetchOverview({ ...options, dispatcher: agent })
      if (trouble !== undefined) log.info({ url }, 'the cluster service answers again')
      trouble = undefined
    } catch (error) {
      if (closed) return
      known = { models: known.models, nodes: [] }
      const reason = error instanceof Error ? error.message : String(error)
      // Told when it begins or changes, not at every question.
      if (reason !== trouble) log.warn({ url, reason }, 'the cluster service cannot be asked for its models')
      trouble = reason
    }
    askedAtMs = performance.now()
  }

  return {
    async read() {
      if (performance.now() - askedAtMs >= freshMs) {
        asking ??= ask().finally(() => {
          asking = undefined
        })
        await asking
      }
      return known
    },
    async [Symbol.asyncDispose]() {
      closed = true
      await agent.destroy()
      await asking
    },
  }
}

interface FetchOverviewOptions {
  readonly url: string
  readonly apiKey: string | undefined
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
}

/** Asks the cluster service for its overview. Throws when it does not come, with a sentence that says why. */
async function fetchOverview(options: FetchOverviewOptions): Promise<ClusterOverview> {
  const { url, apiKey, dispatcher, timeoutMs } = options
  const { statusCode, body } = await request(`${url}/api/cluster/status`, {
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      accept: 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
  }).catch((error: unknown) => refuse(error, timeoutMs))
  const text = await body.text().catch((error: unknown) => refuse(error, timeoutMs))
  if (statusCode === 401)
    throw new Error('it wants another key: CLUSTER_API_KEY must be the same on both sides')
  if (statusCode !== 200) throw new Error(`it answered with status ${statusCode}`)
  const facts = parseClusterOverview(parseJson(text))
  if (facts === undefined) throw new Error('what answers there is not a cluster service')
  return facts
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refuse(error: unknown, timeoutMs: number): never {
  if (error instanceof Error && error.name === 'TimeoutError') {
    throw new Error(`it did not answer within ${timeoutMs / 1000} s`)
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  throw new Error(`it could not be reached (${code})`, { cause: error })
}
