import { performance } from 'node:perf_hooks'
import { Agent } from 'undici'
import type { Logger } from '#kernel/telemetry'
import { askCluster } from './ask-cluster.ts'
import type { ClusterFacts, ClusterView } from './cluster-facts.ts'

export interface RemoteClusterOptions {
  readonly url: string
  readonly apiKey: string | undefined
  readonly log: Logger
  /** How long the service may take to answer. */
  readonly timeoutMs: number
  /** How long its answer, or its silence, holds before it is asked again. */
  readonly freshMs: number
}

const largestAnswerBytes = 16 * 1024 * 1024

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
  const agent = new Agent({ pipelining: 0, connections: 1, maxResponseSize: largestAnswerBytes })
  let known: ClusterFacts = { models: [], nodes: [] }
  let trouble: string | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  let closed = false

  async function ask(): Promise<void> {
    try {
      known = await askCluster({ ...options, dispatcher: agent })
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
