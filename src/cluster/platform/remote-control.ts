import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Agent, type Dispatcher, request } from 'undici'
import { Failure, type Problem } from '#kernel/errors'
import type { StreamMessage } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import { type ClusterControl, nodeDetailsSchema } from '../control/control.ts'
import { clusterFailure } from '../errors.ts'
import { nodeRecordSchema } from '../nodes/node-record.ts'
import { clusterOverviewSchema } from '../overview.ts'
import { explainConnectionError } from '../probing/failed-probe.ts'
import { strategySchema } from '../routes/strategy.ts'

export interface RemoteControlOptions {
  readonly url: string
  readonly apiKey: string | undefined
  readonly log: Logger
  /** How long the service may take to answer. */
  readonly timeoutMs?: number
}

const maxAnswerBytes = 16 * 1024 * 1024
/** The service says at least every 15 s that its stream is alive. */
const maxSilenceMs = 45_000

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
    maxResponseSize: maxAnswerBytes,
    connect: { timeout: timeoutMs },
  })
  const streams = new Agent({ pipelining: 0, bodyTimeout: maxSilenceMs, connect: { timeout: timeoutMs } })

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

/** One message carries all nodes, so it may be long. The bound keeps a faulty service from filling the memory. */
const maxMessageLength = 16 * 1024 * 1024

/**
 * Reads the messages of an event stream whose data is JSON, as they arrive. Throws when the data of a message is not JSON or
 * when a message is longer than `maxMessageLength`.
 */
export async function* readEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder()
  const complete: EventSourceMessage[] = []
  const parser = createParser({
    maxBufferSize: maxMessageLength,
    onEvent: (message) => void complete.push(message),
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw new Error('a message of the event stream is too long')
    },
  })
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    for (const { event, data } of complete.splice(0)) {
      if (data !== '') yield { ...(event !== undefined && { event }), data: JSON.parse(data) as unknown }
    }
  }
}

/** An answer of the service that is not the one asked for. */
interface RefusedAnswer {
  readonly status: number
  readonly text: string
  readonly retryAfterSeconds: number | undefined
}

/** The cluster service is unreachable. */
function unreachable(url: string, error: unknown, timeoutMs: number): Failure {
  const reason = isTimeout(error)
    ? `no answer within ${timeoutMs / 1000} s`
    : explainConnectionError(error).message
  return clusterFailure('cluster_unreachable', {
    message: `The cluster service at ${url} cannot be reached: ${reason}.`,
    retryAfterSeconds: 2,
    cause: error,
  })
}

/** The response is not that of a compatible cluster service. */
function unusable(url: string, reason: string): Failure {
  return clusterFailure('cluster_unusable', {
    message: `The cluster service at ${url} cannot be used: ${reason}.`,
  })
}

/**
 * | the service answers              | our caller hears                                           |
 * |----------------------------------|------------------------------------------------------------|
 * | 401, 403                         | 502: it is this platform that was refused, not our caller  |
 * | 404 because it has no such path  | 502: it is of another version                              |
 * | any other error in its own shape | the same                                                   |
 * | anything else                    | 502                                                        |
 */
function toServiceFailure(url: string, { status, text, retryAfterSeconds }: RefusedAnswer): Failure {
  const told = readError(text)
  if (status === 401)
    return unusable(url, 'it wants another key; CLUSTER_API_KEY must be the same here and there')
  if (status === 403)
    return unusable(url, `it refuses this platform${told === undefined ? '' : `: ${told.message}`}`)
  if (status < 400 || told === undefined) return unusable(url, `it answered with status ${status}`)
  if (told.code === 'not_found') return unusable(url, 'it is of another version than this platform')
  const { code, message, details, problems } = told
  return new Failure(
    code,
    { status, message },
    { details, problems, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
  )
}

interface ToldError {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
}

function readError(text: string): ToldError | undefined {
  const { error } = Object(parseJson(text)) as { readonly error?: unknown }
  const { code, message, details } = Object(error) as Readonly<Record<string, unknown>>
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  const { problems, ...others } = Object(details) as Readonly<Record<string, unknown>>
  return {
    code,
    message,
    details: others,
    problems: Array.isArray(problems) ? problems.filter(isProblem) : [],
  }
}

function isProblem(value: unknown): value is Problem {
  const { path, message, code } = Object(value) as Readonly<Record<string, unknown>>
  return [path, message, code].every((text) => typeof text === 'string')
}

/** What a text says as JSON; undefined when it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'TimeoutError' || ('code' in error && error.code === 'UND_ERR_HEADERS_TIMEOUT')
}
