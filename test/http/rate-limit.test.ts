import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiDefinition,
  anonymousPrincipal,
  createHttpServer,
  perCaller,
  readRate,
  registerApi,
  sendEventStream,
} from '#kernel/http'
import { createLogger, createMetrics, startTracing } from '#kernel/telemetry'
import { platformApi } from '../../src/app/platform-api.ts'
import { createTiers } from '../../src/identity/tiers.ts'
import { type LimitedServer, rateOf, startLimitedServer } from './rate-limit-server.ts'

const perMinute = (limit: number) => ({ limit, windowSeconds: 60 })

/** Two APIs with error formats as different as the real ones. */
const loud: ApiDefinition = {
  ...platformApi,
  name: 'loud',
  prefixes: ['/loud'],
  errorCodes: { ...platformApi.errorCodes, too_many_requests: 'RATE_LIMIT_EXCEEDED' },
  errorBody: ({ code, message, retryAfterSeconds }) => ({
    success: false,
    error: code,
    message,
    retry_after: retryAfterSeconds,
  }),
  ratePolicy: perCaller({ name: 'loud', signedIn: perMinute(5), anonymous: perMinute(3) }),
}
const quiet: ApiDefinition = {
  ...platformApi,
  name: 'quiet',
  prefixes: ['/quiet'],
  ratePolicy: createTiers({
    customTier: { requestsPerHour: 7, concurrentWorkflows: 1, microDollarsPerDay: 0 },
  }).requestsPerHour,
}
const free: ApiDefinition = { ...platformApi, name: 'free', prefixes: ['/free'] }

const slow = perCaller({ name: 'slow', signedIn: perMinute(2), anonymous: perMinute(2) })
const config = { access: { open: 'a test', identify: true } } as const

let server: LimitedServer

beforeAll(async () => {
  server = await startLimitedServer(
    {
      definition: loud,
      addRoutes(routes) {
        routes.get('/loud/things', { config }, async () => ({ ok: true }))
        routes.get('/loud/slow', { config: { ...config, ratePolicy: slow } }, async () => ({ ok: true }))
        routes.get('/loud/slow-too', { config: { ...config, ratePolicy: slow } }, async () => ({ ok: true }))
        routes.get('/loud/uncounted', { config: { ...config, ratePolicy: false } }, async () => ({
          ok: true,
        }))
        routes.get('/loud/closed', { config: { access: { permission: 'open doors' } } }, async () => ({
          ok: true,
        }))
        routes.get('/loud/broken', { config }, async () => {
          throw new Error('inside')
        })
        routes.get('/loud/stream', { config }, (request, reply) =>
          sendEventStream(request, reply, {
            messages: async function* () {
              yield { data: 'only' }
            },
          }),
        )
      },
    },
    {
      definition: quiet,
      addRoutes(routes, limiter) {
        routes.get('/quiet/things', { config }, async () => ({ ok: true }))
        routes.get('/quiet/usage', { config }, async (request) =>
          quiet.ratePolicy === undefined ? {} : await readRate(limiter, quiet.ratePolicy, request),
        )
      },
    },
    {
      definition: free,
      addRoutes: (routes) => void routes.get('/free/things', { config }, async () => ({ ok: true })),
    },
  )
})

afterAll(() => server[Symbol.asyncDispose]())

let nextCaller = 0
/** A caller that no other test uses. */
const newcomer = (method = 'api_key') => ({ 'x-caller': `${method} caller${(nextCaller += 1)} 1` })
const from = (ip: string) => ({ 'x-forwarded-for': ip })

const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
  fetch(`${server.url}${path}`, { headers, method })

async function askTimes(count: number, path: string, headers: Record<string, string>): Promise<number[]> {
  const statuses: number[] = []
  for (let round = 0; round < count; round += 1) {
    const answer = await ask(path, headers)
    await answer.arrayBuffer()
    statuses.push(answer.status)
  }
  return statuses
}

describe('a limited API', () => {
  test('sends the limit, the rest and the reset time', async () => {
    const caller = newcomer()
    const answers = [await ask('/loud/things', caller), await ask('/loud/things', caller)].map(rateOf)
    expect(answers).toMatchObject([
      { limit: 5, remaining: 4 },
      { limit: 5, remaining: 3 },
    ])
    const [first, second] = answers
    expect(second?.reset).toBe(first?.reset)
    const inSeconds = (first?.reset ?? 0) - Date.now() / 1000
    expect(inSeconds).toBeGreaterThan(30)
    expect(inSeconds).toBeLessThanOrEqual(62)
  })

  test('refuses requests above it in its own format, with Retry-After', async () => {
    const caller = newcomer()
    expect(await askTimes(5, '/loud/things', caller)).toEqual([200, 200, 200, 200, 200])
    const refused = await ask('/loud/things', caller)
    expect(refused.status).toBe(429)
    expect(rateOf(refused)).toMatchObject({ limit: 5, remaining: 0 })
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(await refused.json()).toEqual({
      success: false,
      error: 'RATE_LIMIT_EXCEEDED',
      message: `The limit of 5 requests per minute is used up. Try again in ${seconds === 60 ? '1 minute' : `${seconds} seconds`}.`,
      retry_after: seconds,
    })
  })

  test('uses the error format of the called API', async () => {
    const caller = from('198.51.100.1')
    expect((await askTimes(100, '/quiet/things', caller)).every((status) => status === 200)).toBe(true)
    const refused = await ask('/quiet/things', caller)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      error: { code: 'rate_limited', details: { limit: 100, window_seconds: 3600 } },
    })
  })

  test('counts each account and each address separately', async () => {
    const [one, two] = [newcomer(), newcomer()]
    expect((await askTimes(6, '/loud/things', { ...one, ...from('203.0.113.1') })).at(-1)).toBe(429)
    expect(await askTimes(1, '/loud/things', { ...two, ...from('203.0.113.1') })).toEqual([200])
    expect(await askTimes(4, '/loud/things', from('203.0.113.1'))).toEqual([200, 200, 200, 429])
    expect(await askTimes(1, '/loud/things', from('203.0.113.2'))).toEqual([200])
  })

  test('counts a whole IPv6 network of a household as one', async () => {
    expect(await askTimes(3, '/loud/things', from('2001:db8:1:2::1'))).toEqual([200, 200, 200])
    expect(await askTimes(1, '/loud/things', from('2001:db8:1:2:ffff::9'))).toEqual([429])
    expect(await askTimes(1, '/loud/things', from('2001:db8:1:3::1'))).toEqual([200])
  })

  test('counts callers without the permission, and refuses them by the limit first', async () => {
    expect(await askTimes(6, '/loud/closed', newcomer())).toEqual([403, 403, 403, 403, 403, 429])
  })

  test('counts an invalid credential by its address', async () => {
    const liar = { 'x-caller': 'liar', ...from('203.0.113.7') }
    const answer = await ask('/loud/things', liar)
    expect([answer.status, rateOf(answer).remaining]).toEqual([401, 2])
    expect(await askTimes(3, '/loud/things', liar)).toEqual([401, 401, 429])
  })

  test('sends the headers with every kind of response', async () => {
    const caller = newcomer()
    const broken = await ask('/loud/broken', caller)
    expect([broken.status, rateOf(broken)]).toMatchObject([500, { limit: 5, remaining: 4 }])
    const head = await ask('/loud/things', caller, 'HEAD')
    expect([head.status, rateOf(head)]).toMatchObject([200, { limit: 5, remaining: 3 }])
    const stream = await ask('/loud/stream', caller)
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expect(rateOf(stream)).toMatchObject({ limit: 5, remaining: 2 })
    expect(await stream.text()).toContain('data: "only"')
  })

  test('uses the tier of the account where the policy does', async () => {
    expect(rateOf(await ask('/quiet/things', newcomer()))).toMatchObject({ limit: 100, remaining: 99 })
    const rich = { 'x-caller': 'api_key rich-one 1' }
    expect(rateOf(await ask('/quiet/things', rich))).toMatchObject({ limit: 2000, remaining: 1999 })
    const answer = await ask('/quiet/usage', rich)
    const { limit, remaining, reset } = rateOf(answer)
    const usage = (await answer.json()) as { resetsAt: string }
    expect(usage).toMatchObject({ limit, remaining })
    expect(Math.ceil(Date.parse(usage.resetsAt) / 1000)).toBe(reset)
  })
})

describe('a route', () => {
  test('may have its own policy, shared by all routes with it', async () => {
    const caller = newcomer()
    expect(rateOf(await ask('/loud/slow', caller))).toMatchObject({ limit: 2, remaining: 1 })
    expect(rateOf(await ask('/loud/slow-too', caller))).toMatchObject({ limit: 2, remaining: 0 })
    expect((await ask('/loud/slow', caller)).status).toBe(429)
    expect(rateOf(await ask('/loud/things', caller))).toMatchObject({ limit: 5, remaining: 4 })
  })

  test('may be excluded, and so may an API', async () => {
    const caller = newcomer()
    for (const path of ['/loud/uncounted', '/free/things']) {
      const answer = await ask(path, caller)
      expect(answer.status).toBe(200)
      expect(answer.headers.has('x-ratelimit-limit')).toBe(false)
    }
    expect(rateOf(await ask('/loud/things', caller)).remaining).toBe(4)
  })
})

describe('requests of a console page', () => {
  const ajax = { 'x-requested-with': 'XMLHttpRequest' }

  test('count by session, for all APIs together, instead of the declared limits', async () => {
    const caller = { 'x-caller': 'session amy 1', ...ajax }
    expect(rateOf(await ask('/loud/things', caller))).toMatchObject({ limit: 200, remaining: 199 })
    expect(rateOf(await ask('/loud/slow', caller))).toMatchObject({ limit: 200, remaining: 198 })
    expect(rateOf(await ask('/quiet/things', caller))).toMatchObject({ limit: 200, remaining: 197 })
    expect((await ask('/free/things', caller)).headers.has('x-ratelimit-limit')).toBe(false)
    const elsewhere = { 'x-caller': 'session amy 2', ...ajax }
    expect(rateOf(await ask('/loud/things', elsewhere))).toMatchObject({ limit: 200, remaining: 199 })
    expect(rateOf(await ask('/loud/things', { 'x-caller': 'session amy 1' }))).toMatchObject({
      limit: 5,
      remaining: 4,
    })
  })

  test('require a session: the header with another credential changes nothing', async () => {
    expect(rateOf(await ask('/loud/things', { ...newcomer(), ...ajax }))).toMatchObject({ limit: 5 })
    expect(rateOf(await ask('/loud/things', { ...ajax, ...from('203.0.113.9') }))).toMatchObject({ limit: 3 })
  })
})

test.each([
  ['an interface', loud, {}],
  ['a route', free, { ratePolicy: slow }],
])('a limit declared on %s does not start without a limiter', async (_, definition, extra) => {
  const log = createLogger({ level: 'silent', format: 'json' })
  const app = await createHttpServer({
    log,
    metrics: createMetrics({ watchProcess: false }),
    tracing: await startTracing({ endpoint: undefined, serviceName: 'test', version: '0', log }),
    fallbackApi: definition,
    authenticate: async () => anonymousPrincipal,
    anonymous: anonymousPrincipal,
    trustedProxies: [],
    version: '0.0.0',
  })
  const start = async () => {
    await registerApi(app, definition, (routes) => {
      routes.get(`${definition.prefixes[0]}/things`, { config: { ...config, ...extra } }, async () => ({
        ok: true,
      }))
    })
    await app.ready()
  }
  await expect(start()).rejects.toThrow('but this server has no limiter')
  await app.close()
})
