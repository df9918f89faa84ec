import { randomUUIDv7 } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { Sealing } from '#kernel/sealing'
import type { Logger } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import { createAnswerSeal } from './answer-seal.ts'
import { type Claim, type ClaimTiming, createClaims, type KeptAnswer } from './claims.ts'
import { idempotencyFailure } from './errors.ts'
import { fingerprint, nameOf } from './fingerprint.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A request with an `Idempotency-Key` that comes again is answered as the first one was. */
    idempotent?: true | ReplayOnly
  }
}

/**
 * For routes whose work has no record that a repeated request could find by its work id: the stored answer alone prevents a
 * second call. An answer that is too large to be stored is then refused to the repeated request.
 */
interface ReplayOnly {
  readonly replayOnly: true
  /** Headers that are stored with the answer, besides `content-type` and `location`. */
  readonly headers: readonly string[]
}

/** Collects an answer that a handler writes to the connection itself. */
export interface StreamRecorder {
  add(text: string): void
  /** Stores the complete answer. Await it before the connection is ended. */
  finish(headers: Readonly<Record<string, string>>): Promise<void>
  /** Gives the key back, unless the answer was finished. No hook of the framework runs when the caller has left. */
  release(): Promise<void>
}

/** Lets a caller who does not know whether a request arrived send it again. */
export interface Idempotency extends AsyncDisposable {
  /** Looks after the routes that are added from here on and say `idempotent` in their config. */
  watch(routes: HttpServer): void
  /** Names the work that a request starts: the same for each request with the same key, another one without a key. */
  workIdOf(request: FastifyRequest): string
  /** For a handler that hijacks its reply; undefined when the request has no key. */
  recordStream(request: FastifyRequest): StreamRecorder | undefined
  /** Forgets answers that are too old to be kept. */
  readonly cleanUp: RecurringTask
}

export interface IdempotencyOptions {
  readonly database: Pick<Database, 'query'>
  readonly log: Logger
  /** What answers are sealed with while they are kept. Default: they are stored as they are. */
  readonly sealing?: Pick<Sealing, 'canSeal' | 'seal' | 'open'>
  readonly timing?: Partial<ClaimTiming>
}

const dayMs = 24 * 3_600_000

/** Larger answers are made again, for the same work. */
const largestAnswerBytes = 1024 * 1024

/** What belongs to the answer and not to the one request it went out for. */
const keptHeaders: readonly string[] = ['content-type', 'location']

/** Stored in place of an answer that is too large, so that the work is not done a second time. */
const tooLarge: KeptAnswer = {
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
    'A name of your own for this request. Sent again within 24 hours, it starts nothing new and gets the first answer again, with `Idempotent-Replay: true`. Answers with 429 and 5xx are not kept: then it is tried again.',
}

export function createIdempotency(options: IdempotencyOptions): Idempotency {
  const { database, log, sealing, timing = {} } = options
  const { leaseMs = 10_000, waitMs = 30_000, keepMs = dayMs } = timing
  const claims = createClaims(database, { leaseMs, waitMs, keepMs }, createAnswerSeal(sealing))
  const claimOf = new WeakMap<FastifyRequest, Claim>()
  const workIds = new WeakMap<FastifyRequest, string>()
  const held = new Set<Claim>()
  let renewing: NodeJS.Timeout | undefined

  function hold(claim: Claim): void {
    held.add(claim)
    renewing ??= setInterval(renew, leaseMs / 4).unref()
  }

  function letGo(claim: Claim): void {
    held.delete(claim)
    if (held.size > 0) return
    clearInterval(renewing)
    renewing = undefined
  }

  function renew(): void {
    claims.renew([...held]).catch((error: unknown) => log.debug({ err: error }, 'claims were not renewed'))
  }

  /** What is not written here is taken up when the lease is over: the answer itself must not wait for that. */
  async function end(claim: Claim, answer: KeptAnswer | undefined): Promise<void> {
    letGo(claim)
    try {
      if (answer === undefined) await claims.free([claim])
      else await claims.keep(claim, answer)
    } catch (error) {
      log.warn({ err: error }, 'an answer was not kept for its Idempotency-Key')
    }
  }

  async function claimFor(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string') {
      workIds.set(request, randomUUIDv7())
      return undefined
    }
    const { principal, params, query, body, method, routeOptions } = request
    if (principal.id === null) {
      throw kernelFailure('invalid_input', { message: 'An Idempotency-Key needs an account: sign in first.' })
    }
    const name = nameOf(principal.id, `${method} ${routeOptions.url}`, key)
    const taken = await claims.take(name, fingerprint({ params, query, body }), leaving(request, reply))
    if ('status' in taken) {
      if (taken.headers['idempotency-answer'] !== undefined) {
        throw idempotencyFailure('idempotency_answer_too_large')
      }
      reply.code(taken.status).headers({ ...taken.headers, 'idempotent-replay': 'true' })
      return taken.body.length === 0 ? reply.send() : reply.send(taken.body)
    }
    hold(taken)
    claimOf.set(request, taken)
    workIds.set(request, taken.workId)
    return undefined
  }

  async function endOnce(request: FastifyRequest, answer: () => KeptAnswer | undefined): Promise<void> {
    const mine = claimOf.get(request)
    if (mine === undefined) return
    claimOf.delete(request)
    await end(mine, answer())
  }

  return {
    watch(routes) {
      routes.addHook('onRoute', describeKey)
      // After validation: a request that is no request uses up no key.
      routes.addHook('preHandler', async (request, reply) =>
        request.routeOptions.config.idempotent === undefined ? undefined : await claimFor(request, reply),
      )
      routes.addHook('onSend', async (request, reply, payload) => {
        await endOnce(request, () => answerOf(request, reply, payload))
        return payload
      })
      // For answers that take the connection over and pass by the hook before.
      routes.addHook('onResponse', async (request) => await endOnce(request, () => undefined))
    },

    workIdOf(request) {
      const workId = workIds.get(request)
      if (workId === undefined) throw new Error(`${request.routeOptions.url} does not say idempotent`)
      return workId
    },

    recordStream(request) {
      if (!claimOf.has(request)) return undefined
      const texts: string[] = []
      let bytes = 0
      return {
        add(text) {
          bytes += Buffer.byteLength(text)
          if (bytes <= largestAnswerBytes) texts.push(text)
          else texts.length = 0
        },
        finish: (headers) =>
          endOnce(request, () =>
            bytes > largestAnswerBytes
              ? tooLargeFor(request)
              : {
                  status: 200,
                  headers: storedHeaders(request, (name) => headers[name]),
                  body: Buffer.from(texts.join('')),
                },
          ),
        release: () => endOnce(request, () => undefined),
      }
    },

    cleanUp: {
      name: 'idempotency.forget',
      everyMs: 10 * 60_000,
      run: async (signal) => {
        await claims.forgetOld(signal)
      },
    },

    async [Symbol.asyncDispose]() {
      clearInterval(renewing)
      const left = [...held]
      held.clear()
      await claims
        .free(left)
        .catch((error: unknown) => log.debug({ err: error }, 'claims were not given back'))
    },
  }
}

/** Undefined for what is not kept: the caller is to try again, or has left, or it is too much. */
function answerOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): KeptAnswer | undefined {
  const { statusCode: status } = reply
  if (status >= 500 || status === 429 || status === 499) return undefined
  const whole = payload ?? ''
  if (typeof whole !== 'string' && !Buffer.isBuffer(whole)) return undefined
  const body = Buffer.from(whole)
  if (body.length > largestAnswerBytes) return tooLargeFor(request)
  return { status, headers: storedHeaders(request, (name) => reply.getHeader(name)), body }
}

function tooLargeFor(request: FastifyRequest): KeptAnswer | undefined {
  return replayOnlyOf(request) === undefined ? undefined : tooLarge
}

function storedHeaders(
  request: FastifyRequest,
  valueOf: (name: string) => number | string | string[] | undefined,
): Readonly<Record<string, string>> {
  const names = [...keptHeaders, ...(replayOnlyOf(request)?.headers ?? [])]
  const stored = names.map((name) => [name, valueOf(name)] as const)
  return Object.fromEntries(
    stored.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

function replayOnlyOf({ routeOptions }: FastifyRequest): ReplayOnly | undefined {
  const { idempotent } = routeOptions.config
  return typeof idempotent === 'object' ? idempotent : undefined
}

/** Aborts when whoever asked has left, or the server closes: nobody waits for an answer that cannot arrive. */
function leaving({ server }: FastifyRequest, { raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, server.closing])
}

/** The header, for routes that take it. */
function describeKey(route: RouteOptions): void {
  if (route.config?.idempotent === undefined) return
  const { headers } = (route.schema ?? {}) as { headers?: { properties?: object } }
  const properties = { ...headers?.properties, 'idempotency-key': keyHeader }
  route.schema = { ...route.schema, headers: { type: 'object', ...headers, properties } }
}
