import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { Type } from 'typebox'
import { Agent, type Dispatcher, request } from 'undici'
import { createCheck } from '#kernel/checks'
import { Failure, type Problem } from '#kernel/errors'
import type { StreamMessage } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import { callerHeader } from '../client/route.ts'
import {
  type ClusterControl,
  nodeDetailsSchema,
  strategySchema,
  strategyViewSchema,
} from '../control/control.ts'
import { clusterFailure } from '../errors.ts'
import { nodeRecordSchema } from '../nodes/node-record.ts'
import { clusterOverviewSchema, instanceSchema } from '../overview.ts'
import { explainConnectionError } from '../probing/failed-probe.ts'

export interface RemoteControlOptions {
  readonly url: string
  readonly apiKey: string | undefined
  readonly log: Logger
  /** Timeout of requests to the service. */
  readonly timeoutMs?: number
}

const maxResponseBytes = 16 * 1024 * 1024
/** The service sends a heartbeat at least every 15 s. */
const maxSilenceMs = 45_000

const checks = {
  overview: createCheck(clusterOverviewSchema),
  list: createCheck(
    Type.Object({ nodes: Type.Array(nodeRecordSchema), total: Type.Integer(), instance: instanceSchema }),
  ),
  node: createCheck(nodeRecordSchema),
  details: createCheck(nodeDetailsSchema),
  strategies: createCheck(strategyViewSchema),
  strategy: createCheck(Type.Object({ strategy: strategySchema })),
}

interface ServiceRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** The id of the operator of a change. */
  readonly by?: string | null
}

/** A cluster service in another process. */
interface RemoteControl extends AsyncDisposable {
  /** The control for the operator with this id. */
  as(by: string | null): ClusterControl
}

/**
 * A cluster service in another process. The operator configures its address, usually on a private network, so the
 * outbound guard does not apply. No connection outlives its response, so a change never meets a closed connection.
 */
export function controlRemoteCluster(options: RemoteControlOptions): RemoteControl {
  const { url, apiKey, log, timeoutMs = 5000 } = options
  const agent = new Agent({
    pipelining: 0,
    maxResponseSize: maxResponseBytes,
    connect: { timeout: timeoutMs },
  })
  const streams = new Agent({ pipelining: 0, bodyTimeout: maxSilenceMs, connect: { timeout: timeoutMs } })

  async function send(
    { method = 'GET', path, body, by }: ServiceRequest,
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
        ...(typeof by === 'string' && { [callerHeader]: by }),
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  /** Returns the text of a response. Throws for every status other than 2xx. */
  async function requestText(serviceRequest: ServiceRequest): Promise<string> {
    const how = { dispatcher: agent, signal: AbortSignal.timeout(timeoutMs), accept: 'application/json' }
    let response: Dispatcher.ResponseData
    let text: string
    try {
      response = await send(serviceRequest, how)
      text = await response.body.text()
    } catch (error) {
      throw unreachable(url, error, timeoutMs)
    }
    if (response.statusCode < 200 || response.statusCode > 299) throw refusalOf(response, text)
    return text
  }

  async function requestJson<Body>(
    check: { Check(value: unknown): value is Body },
    serviceRequest: ServiceRequest,
  ): Promise<Body> {
    const response = parseJson(await requestText(serviceRequest))
    if (!check.Check(response)) {
      throw unusable(url, 'its response has an unknown format; check that both have the same version')
    }
    return response
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
      // The subscriber reconnects, and gets an error then if the service is still unreachable.
      if (!signal.aborted) log.warn({ url, err: error }, 'event stream of the cluster service interrupted')
    } finally {
      body.destroy()
    }
  }

  const control = (by: string | null): ClusterControl => ({
    overview: () => requestJson(checks.overview, { path: '/status' }),
    list: ({ limit, page }) => requestJson(checks.list, { path: `/nodes?limit=${limit}&page=${page}` }),
    look: (id) => requestJson(checks.details, { path: pathOf(id) }),
    add: (body) => requestJson(checks.node, { method: 'POST', path: '/nodes', body, by }),
    change: (id, body) => requestJson(checks.node, { method: 'PATCH', path: pathOf(id), body, by }),
    remove: async (id) => void (await requestText({ method: 'DELETE', path: pathOf(id), by })),
    strategy: () => requestJson(checks.strategies, { path: '/strategy' }),
    setStrategy: (strategy) =>
      requestJson(checks.strategy, { method: 'PUT', path: '/strategy', body: { strategy }, by }),
    async follow({ signal, measurements }) {
      const how = { dispatcher: streams, signal, accept: 'text/event-stream' }
      const response = await send({ path: `/events?measurements=${measurements}` }, how).catch(
        (error: unknown) => {
          throw unreachable(url, error, timeoutMs)
        },
      )
      const { statusCode, headers, body } = response
      if (statusCode === 200 && String(headers['content-type']).startsWith('text/event-stream')) {
        return relay(body, signal)
      }
      const text = await body.text().catch(() => '')
      throw refusalOf(response, text)
    },
  })
  return {
    as: control,
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

/** An error response of the service. */
interface ErrorResponse {
  readonly status: number
  readonly text: string
  readonly retryAfterSeconds: number | undefined
}

/** The cluster service is unreachable. */
function unreachable(url: string, error: unknown, timeoutMs: number): Failure {
  const reason = isTimeout(error)
    ? `no response within ${timeoutMs / 1000} s`
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
 * | response of the service          | response to the caller                                     |
 * |----------------------------------|------------------------------------------------------------|
 * | 401, 403                         | 502: the platform was refused, not the caller              |
 * | 404 for an unknown path          | 502: the service has another version                       |
 * | any other error in its own shape | the same                                                   |
 * | anything else                    | 502                                                        |
 */
function toServiceFailure(url: string, { status, text, retryAfterSeconds }: ErrorResponse): Failure {
  const error = readError(text)
  if (status === 401)
    return unusable(url, 'it wants another key; CLUSTER_API_KEY must be the same here and there')
  if (status === 403)
    return unusable(url, `it refuses this platform${error === undefined ? '' : `: ${error.message}`}`)
  if (status < 400 || error === undefined) return unusable(url, `it answered with status ${status}`)
  if (error.code === 'not_found') return unusable(url, 'it is of another version than this platform')
  const { code, message, details, problems } = error
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

/** Parses JSON; undefined when invalid. */
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
