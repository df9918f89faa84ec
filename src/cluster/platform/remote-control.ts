import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Agent, type Dispatcher, request } from 'undici'
import type { StreamMessage } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import { type ClusterControl, nodeDetailsSchema } from '../control/control.ts'
import { nodeRecordSchema } from '../nodes/node-record.ts'
import { clusterOverviewSchema } from '../overview.ts'
import { strategySchema } from '../routes/strategy.ts'
import { readEventStream } from './read-event-stream.ts'
import { parseJson, toServiceFailure, unreachable, unusable } from './service-failure.ts'

export interface RemoteControlOptions {
  readonly url: string
  readonly apiKey: string | undefined
  readonly log: Logger
  /** How long the service may take to answer. */
  readonly timeoutMs?: number
}

const largestAnswerBytes = 16 * 1024 * 1024
/** The service says at least every 15 s that its stream is alive. */
const longestSilenceMs = 45_000

const checks = {
  overview: Compile(clusterOverviewSchema),
  list: Compile(Type.Object({ nodes: Type.Array(nodeRecordSchema), total: Type.Integer() })),
  node: Compile(nodeRecordSchema),
  details: Compile(nodeDetailsSchema),
  strategies: Compile(Type.Object({ strategy: strategySchema, available: Type.Array(Type.String()) })),
  strategy: Compile(Type.Object({ strategy: strategySchema })),
}

interface Question {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/**
 * A cluster service in another process. Its address is an operator's setting and means a private network, so the guard for
 * outbound calls is not for it. No connection outlives its answer, so none is found closed when something is to be written.
 */
export function controlRemoteCluster(options: RemoteControlOptions): ClusterControl & AsyncDisposable {
  const { url, apiKey, log, timeoutMs = 5000 } = options
  const agent = new Agent({
    pipelining: 0,
    maxResponseSize: largestAnswerBytes,
    connect: { timeout: timeoutMs },
  })
  const streams = new Agent({ pipelining: 0, bodyTimeout: longestSilenceMs, connect: { timeout: timeoutMs } })

  async function send(
    { method = 'GET', path, body }: Question,
    how: SendOptions,
  ): Promise<Dispatcher.ResponseData> {
    return await request(`${url}/api/cluster${path}`, {
      method,
      dispatcher: how.dispatcher,
      signal: how.signal,
      headersTimeout: timeoutMs,
      headers: {
        accept: how.accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  /** The text of an answer; whatever is no success is thrown. */
  async function ask(question: Question): Promise<string> {
    const how = { dispatcher: agent, signal: AbortSignal.timeout(timeoutMs), accept: 'application/json' }
    let answer: Dispatcher.ResponseData
    let text: string
    try {
      answer = await send(question, how)
      text = await answer.body.text()
    } catch (error) {
      throw unreachable(url, error, timeoutMs)
    }
    if (answer.statusCode < 200 || answer.statusCode > 299) throw refusalOf(answer, text)
    return text
  }

  async function askFor<Answer>(
    check: { Check(value: unknown): value is Answer },
    question: Question,
  ): Promise<Answer> {
    const answer = parseJson(await ask(question))
    if (!check.Check(answer)) {
      throw unusable(url, 'what it answers is not understood; are both of one version?')
    }
    return answer
  }

  function refusalOf({ statusCode, headers }: Dispatcher.ResponseData, text: string) {
    const seconds = Number(headers['retry-after'])
    const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
    return toServiceFailure(url, { status: statusCode, text, retryAfterSeconds })
  }

  async function* relay(
    body: Dispatcher.ResponseData['body'],
    signal: AbortSignal,
  ): AsyncGenerator<StreamMessage> {
    try {
      yield* readEventStream(body)
    } catch (error) {
      // Whoever follows takes it up again, and is told then if nobody answers.
      if (!signal.aborted) log.warn({ url, err: error }, 'the events of the cluster service broke off')
    } finally {
      body.destroy()
    }
  }

  return {
    overview: () => askFor(checks.overview, { path: '/status' }),
    list: ({ limit, page }) => askFor(checks.list, { path: `/nodes?limit=${limit}&page=${page}` }),
    look: (id) => askFor(checks.details, { path: pathOf(id) }),
    add: (body) => askFor(checks.node, { method: 'POST', path: '/nodes', body }),
    change: (id, body) => askFor(checks.node, { method: 'PATCH', path: pathOf(id), body }),
    remove: async (id) => void (await ask({ method: 'DELETE', path: pathOf(id) })),
    strategy: () => askFor(checks.strategies, { path: '/strategy' }),
    setStrategy: (strategy) =>
      askFor(checks.strategy, { method: 'PUT', path: '/strategy', body: { strategy } }),
    async follow({ signal, measurements }) {
      const how = { dispatcher: streams, signal, accept: 'text/event-stream' }
      const answer = await send({ path: `/events?measurements=${measurements}` }, how).catch(
        (error: unknown) => {
          throw unreachable(url, error, timeoutMs)
        },
      )
      const { statusCode, headers, body } = answer
      if (statusCode === 200 && String(headers['content-type']).startsWith('text/event-stream')) {
        return relay(body, signal)
      }
      const text = await body.text().catch(() => '')
      throw refusalOf(answer, text)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([agent.destroy(), streams.destroy()])
    },
  }
}

interface SendOptions {
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
  readonly accept: string
}

function pathOf(id: string): string {
  return `/nodes/${encodeURIComponent(id)}`
}
