import { createHash, randomUUIDv7 } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import {
  type Claim,
  type ClaimTiming,
  createClaims,
  createResponseEncryption,
  type StoredResponse,
} from './claims.ts'
import { idempotencyFailure } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A repeated request with an `Idempotency-Key` gets the response of the first one. */
    idempotent?: true | ReplayOnly
  }
}

/**
 * For routes whose work has no record that a repeated request could find by its work id: only the stored response prevents a second
 * execution. If the response was too large to be stored, the repeated request is refused.
 */
interface ReplayOnly {
  readonly replayOnly: true
  /** Headers that are stored with the response, besides `content-type` and `location`. */
  readonly headers: readonly string[]
}

/** Records a response that a handler writes to the connection itself. */
export interface StreamRecorder {
  add(piece: string | Buffer): void
  /** Stores the complete response. Await it before the connection ends. */
  finish(headers: Readonly<Record<string, string>>): Promise<void>
  /** Releases the key, unless the response was finished. No hook of the framework runs after the client disconnected. */
  release(): Promise<void>
}

/** Lets a caller repeat a request safely when it is unknown whether the first one arrived. */
export interface Idempotency extends AsyncDisposable {
  /** Handles the routes added from now on that have `idempotent` in their config. */
  watch(routes: HttpServer): void
  /** The id of the work of a request: the same for every request with the same key, a new one without a key. Throws for other routes. */
  workIdOf(request: FastifyRequest): string
  /** For a handler that hijacks its reply; undefined when the request has no key. */
  recordStream(request: FastifyRequest): StreamRecorder | undefined
  /** Deletes expired responses. */
  readonly cleanUp: RecurringTask
}

export interface IdempotencyOptions {
  readonly database: Pick<Database, 'query'>
  readonly log: Logger
  /** Encrypts stored responses. Default: they are stored unencrypted. */
  readonly encryption?: Pick<Encryption, 'canEncrypt' | 'encrypt' | 'decrypt'>
  readonly timing?: Partial<ClaimTiming>
}

const dayMs = 24 * 3_600_000

/** Larger responses are not stored; the handler runs again, with the same work id. */
const maxResponseBytes = 1024 * 1024

/** Headers that belong to the response, not to the individual request. */
const defaultHeaders: readonly string[] = ['content-type', 'location']

/** Stored instead of a response that is too large, so that the work is not done again. */
const tooLarge: StoredResponse = {
  status: 422,
  headers: { 'idempotency-answer': 'too-large' },
  body: Buffer.alloc(0),
}

const keyHeader = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x20-\\x7e]+$',
  'x-means': 'must be 1 to 255 printable characters',
  description:
    'A unique key of your choice. A repeated request with the same key within 24 hours starts nothing new and gets the first response again, with `Idempotent-Replay: true`. Responses with 429 or 5xx are not stored; the request runs again then.',
}

/** Creates the handling of `Idempotency-Key`. Does not throw; failures of its hooks become responses. */
export function createIdempotency(options: IdempotencyOptions): Idempotency {
  const { database, log, encryption, timing = {} } = options
  const { leaseMs = 10_000, waitMs = 30_000, keepMs = dayMs } = timing
  const claims = createClaims(database, { leaseMs, waitMs, keepMs }, createResponseEncryption(encryption))
  const claimOf = new WeakMap<FastifyRequest, Claim>()
  const workIds = new WeakMap<FastifyRequest, string>()
  const leased = new Set<Claim>()
  let renewing: NodeJS.Timeout | undefined

  function startRenewing(claim: Claim): void {
    leased.add(claim)
    renewing ??= setInterval(renew, leaseMs / 4).unref()
  }

  function stopRenewing(claim: Claim): void {
    leased.delete(claim)
    if (leased.size > 0) return
    clearInterval(renewing)
    renewing = undefined
  }

  function renew(): void {
    claims
      .renew([...leased])
      .catch((error: unknown) => log.debug({ err: error }, 'could not renew idempotency claims'))
  }

  /** A failure here does not fail the response: the next request takes over when the lease expires. */
  async function end(claim: Claim, response: StoredResponse | undefined): Promise<void> {
    stopRenewing(claim)
    try {
      if (response === undefined) await claims.free([claim])
      else await claims.store(claim, response)
    } catch (error) {
      log.warn({ err: error }, 'could not store the response of an Idempotency-Key')
    }
  }

  async function claimFor(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const key = String(request.headers['idempotency-key'])
    const { principal, params, query, body, method, routeOptions } = request
    if (principal.id === null) {
      throw kernelFailure('invalid_input', { message: 'An Idempotency-Key needs an account. Sign in first.' })
    }
    const name = nameOf(principal.id, `${method} ${routeOptions.url}`, key)
    const taken = await claims.take(
      name,
      fingerprint({ params, query, body }),
      disconnectSignal(request, reply),
    )
    if ('status' in taken) {
      if (taken.headers['idempotency-answer'] !== undefined) {
        throw idempotencyFailure('idempotency_answer_too_large')
      }
      reply.code(taken.status).headers({ ...taken.headers, 'idempotent-replay': 'true' })
      return taken.body.length === 0 ? reply.send() : reply.send(taken.body)
    }
    startRenewing(taken)
    claimOf.set(request, taken)
    workIds.set(request, taken.workId)
    return undefined
  }

  async function endOnce(request: FastifyRequest, response: () => StoredResponse | undefined): Promise<void> {
    const claim = claimOf.get(request)
    if (claim === undefined) return
    claimOf.delete(request)
    await end(claim, response())
  }

  return {
    watch(routes) {
      routes.addHook('onRoute', addKeyHeader)
      // After validation: an invalid request uses up no key.
      routes.addHook('preHandler', (request, reply, done) => {
        if (request.routeOptions.config.idempotent === undefined) return done()
        if (typeof request.headers['idempotency-key'] !== 'string') {
          workIds.set(request, randomUUIDv7())
          return done()
        }
        void callBack(done, async () => (await claimFor(request, reply)) === undefined)
      })
      routes.addHook('onSend', (request, reply, payload, done) => {
        if (!claimOf.has(request)) return done(null, payload)
        const pass = (error?: Error) => (error === undefined ? done(null, payload) : done(error))
        void callBack(pass, () => endOnce(request, () => responseOf(request, reply, payload)))
      })
      // For hijacked replies, which skip `onSend`.
      routes.addHook('onResponse', (request, _reply, done) => {
        if (!claimOf.has(request)) return done()
        void callBack(done, () => endOnce(request, () => undefined))
      })
    },

    workIdOf(request) {
      const workId = workIds.get(request)
      if (workId === undefined) throw new Error(`${request.routeOptions.url} is not declared as idempotent`)
      return workId
    },

    recordStream(request) {
      if (!claimOf.has(request)) return undefined
      const pieces: Buffer[] = []
      let bytes = 0
      return {
        add(piece) {
          const added = typeof piece === 'string' ? Buffer.from(piece) : piece
          bytes += added.length
          if (bytes <= maxResponseBytes) pieces.push(added)
          else pieces.length = 0
        },
        finish: (headers) =>
          endOnce(request, () =>
            bytes > maxResponseBytes
              ? tooLargeFor(request)
              : {
                  status: 200,
                  headers: storedHeaders(request, (name) => headers[name]),
                  body: Buffer.concat(pieces),
                },
          ),
        release: () => endOnce(request, () => undefined),
      }
    },

    cleanUp: {
      name: 'idempotency.forget',
      everyMs: 10 * 60_000,
      run: async (signal) => {
        await claims.deleteExpired(signal)
      },
    },

    async [Symbol.asyncDispose]() {
      clearInterval(renewing)
      const remaining = [...leased]
      leased.clear()
      await claims
        .free(remaining)
        .catch((error: unknown) => log.debug({ err: error }, 'could not release idempotency claims'))
    },
  }
}

/** Continues a hook when the work has ended, unless it returns false because the response is sent. */
async function callBack(done: (error?: Error) => void, work: () => Promise<boolean | void>): Promise<void> {
  try {
    if ((await work()) === false) return
  } catch (error) {
    done(error as Error)
    return
  }
  done()
}

/** Undefined for a response that is not stored: the caller should retry, has disconnected, or the response is too large. */
function responseOf(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): StoredResponse | undefined {
  const { statusCode: status } = reply
  if (status >= 500 || status === 429 || status === 499) return undefined
  const whole = payload ?? ''
  if (typeof whole !== 'string' && !Buffer.isBuffer(whole)) return undefined
  const body = Buffer.from(whole)
  if (body.length > maxResponseBytes) return tooLargeFor(request)
  return { status, headers: storedHeaders(request, (name) => reply.getHeader(name)), body }
}

function tooLargeFor(request: FastifyRequest): StoredResponse | undefined {
  return replayOnlyOf(request) === undefined ? undefined : tooLarge
}

function storedHeaders(
  request: FastifyRequest,
  valueOf: (name: string) => number | string | string[] | undefined,
): Readonly<Record<string, string>> {
  const names = [...defaultHeaders, ...(replayOnlyOf(request)?.headers ?? [])]
  const stored = names.map((name) => [name, valueOf(name)] as const)
  return Object.fromEntries(
    stored.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

function replayOnlyOf({ routeOptions }: FastifyRequest): ReplayOnly | undefined {
  const { idempotent } = routeOptions.config
  return typeof idempotent === 'object' ? idempotent : undefined
}

/** Aborts when the client disconnects or the server closes, because the response could not arrive. */
function disconnectSignal({ server }: FastifyRequest, { raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  raw.once('close', () => disconnected.abort())
  return AbortSignal.any([disconnected.signal, server.closing])
}

/** Adds the header to the schema of idempotent routes. */
function addKeyHeader(route: RouteOptions): void {
  if (route.config?.idempotent === undefined) return
  const { headers } = (route.schema ?? {}) as { headers?: { properties?: object } }
  const properties = { ...headers?.properties, 'idempotency-key': keyHeader }
  route.schema = { ...route.schema, headers: { type: 'object', ...headers, properties } }
}

/** The id of a key, which is only valid for its account and route. */
export function nameOf(accountId: string, route: string, key: string): Buffer {
  return hash(JSON.stringify([accountId, route, key]))
}

/** The hash of a request. The order of fields does not matter. */
export function fingerprint(request: {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}): Buffer {
  return hash(JSON.stringify([request.params, request.query, request.body], sortFields))
}

function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  // An array of pairs keeps its order; an object would reorder names that look like numbers.
  return { fields: fields.map(([name, item]) => [name, item as unknown]) }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
