import { Type } from 'typebox'
import type { Database } from '#kernel/database'
import { anonymousPrincipal, closeHttpServer, createHttpServer, registerApi } from '#kernel/http'
import { createIdempotency, type Idempotency, type IdempotencyOptions } from '#kernel/idempotency'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { platformApi } from '../../src/app/platform-api.ts'
import { loopDelayLimitMs } from '../support/loop-delay-limit.ts'

const log = createLogger({ level: 'silent', format: 'json' })

export interface IdempotencyServer extends AsyncDisposable {
  readonly url: string
  readonly idempotency: Idempotency
  /** The arguments of the handler calls, in order. */
  readonly handled: readonly string[]
  /** Clears the recorded calls. */
  forget(): void
}

export interface ServerOptions {
  readonly database: Database
  readonly timing?: IdempotencyOptions['timing']
  readonly encryption?: IdempotencyOptions['encryption']
  /** Called when a handler has stored its work and before it responds. */
  readonly beforeAnswer?: (what: string) => Promise<void> | void
}

/**
 * A replica that stores work under the given id. `answer` sets the outcome of the request: a status that is sent, a status
 * that is thrown, a response that is too large to store, or none at all.
 */
export async function startIdempotencyServer(options: ServerOptions): Promise<IdempotencyServer> {
  const { database, timing, encryption, beforeAnswer = () => {} } = options
  const handled: string[] = []
  const app = await createHttpServer({
    loopDelayLimitMs,
    log,
    metrics: createMetrics({ watchProcess: false }),
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackApi: platformApi,
    authenticate: async ({ headers }) => {
      const account = headers['x-account']
      return typeof account === 'string'
        ? { ...anonymousPrincipal, id: account }
        : { ...anonymousPrincipal, permissions: new Set(['try']) }
    },
    anonymous: anonymousPrincipal,
    trustedProxies: [],
    version: '0.0.0',
  })
  const idempotency = createIdempotency({
    database,
    log,
    ...(timing !== undefined && { timing }),
    ...(encryption !== undefined && { encryption }),
  })
  await registerApi(app, platformApi, (routes) => {
    idempotency.watch(routes)
    for (const path of ['/works', '/other-works', '/works/:id/again']) {
      routes.post(
        path,
        {
          config: {
            access: path === '/other-works' ? { permission: 'try' } : { signedIn: true },
            idempotent: true,
          },
          schema: {
            body: Type.Object({ what: Type.String(), answer: Type.Optional(Type.String()) }),
          },
        },
        async (request, reply) => {
          const { what, answer = '202' } = request.body
          handled.push(what)
          const workId = idempotency.workIdOf(request)
          await database.query('insert into works (id, what) values ($1, $2) on conflict (id) do nothing', [
            workId,
            what,
          ])
          await beforeAnswer(what)
          if (answer === 'throws') throw new Error('a mistake of ours')
          if (answer === 'large') return { workId, text: 'x'.repeat(1_100_000) }
          if (answer === 'nothing') return reply.code(204).send()
          return reply
            .code(Number(answer))
            .header('location', `/works/${workId}`)
            .send({ workId, handled: handled.length })
        },
      )
    }
    routes.post('/plain', { config: { access: { signedIn: true } } }, async () => ({
      n: handled.push('plain'),
    }))
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    idempotency,
    handled,
    forget() {
      handled.length = 0
    },
    async [Symbol.asyncDispose]() {
      await closeHttpServer(app, 1000)
      await idempotency[Symbol.asyncDispose]()
    },
  }
}

export interface Sending {
  readonly key?: string
  readonly account?: string | null
  readonly path?: string
  readonly body?: unknown
  readonly signal?: AbortSignal
}

export function send({ url }: { readonly url: string }, sending: Sending = {}): Promise<Response> {
  const { key, account = 'nadia', path = '/works', body = { what: 'dig' }, signal } = sending
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(account !== null && { 'x-account': account }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  })
}
