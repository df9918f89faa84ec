import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Failure, kernelFailure } from '#kernel/errors'
import { type Count, type Limiter, type LimitRule, rateLimitAddress, type Taken } from '#kernel/limits'
import type { Principal } from './access.ts'
import type { ApiDefinition } from './api-definition.ts'
import type { HttpServer } from './http-server.ts'
import type { RefusalPacing } from './refusal-pacing.ts'

/** The subject a request is counted for, and its limit. */
interface CountedRate extends LimitRule {
  readonly per: string
}

/** How requests are counted. Policies with the same name share their counts across routes. */
export interface RatePolicy {
  readonly name: string
  /** Chooses the subject of a request; undefined when it is not counted. */
  readonly choose: (request: FastifyRequest) => CountedRate | undefined
}

/** A policy that needs only the caller of a request. */
export interface CallerRatePolicy {
  readonly name: string
  readonly choose: (caller: Pick<FastifyRequest, 'principal' | 'ip'>) => CountedRate | undefined
}

interface PerCallerOptions {
  readonly name: string
  readonly signedIn: LimitRule | ((principal: Principal) => LimitRule)
  readonly anonymous: LimitRule | (() => LimitRule)
}

/** Counts by account, and by address for anonymous callers. Does not throw. */
export function perCaller({ name, signedIn, anonymous }: PerCallerOptions): CallerRatePolicy {
  return {
    name,
    choose({ principal, ip }) {
      if (principal.id === null) {
        const rule = typeof anonymous === 'function' ? anonymous() : anonymous
        return { ...rule, per: `address:${rateLimitAddress(ip)}` }
      }
      const rule = typeof signedIn === 'function' ? signedIn(principal) : signedIn
      return { ...rule, per: accountKeyOf(principal.id) }
    },
  }
}

function accountKeyOf(accountId: string): string {
  return `account:${accountId}`
}

/** Calls of the console come in bursts that a user does not notice: they count per session, for all APIs together. */
const browserCalls: RatePolicy = {
  name: 'browser-calls',
  choose: ({ principal }) => ({ per: `session:${principal.credential}`, limit: 200, windowSeconds: 60 }),
}

interface RateLimitOptions {
  readonly limiter: Limiter | undefined
  /** Delays the refusals of callers who ignore them. */
  readonly pacing: RefusalPacing
  readonly interfaces: readonly ApiDefinition[]
}

/** Counts a request by the policy of its route, else of its API. Throws `too_many_requests` beyond the limit. */
export type CountByPolicy = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export function createCountByPolicy(
  app: HttpServer,
  { limiter, interfaces, pacing }: RateLimitOptions,
): CountByPolicy {
  const policyOfApi = (name: string | undefined) =>
    interfaces.find((candidate) => candidate.name === name)?.ratePolicy

  if (limiter === undefined) {
    // A declared limit must be enforced.
    app.addHook('onRoute', ({ url, config }) => refuseWithoutLimiter(url, config?.ratePolicy))
    app.addHook('onReady', async () => {
      for (const { name, ratePolicy } of interfaces) refuseWithoutLimiter(`the ${name} API`, ratePolicy)
    })
    return async () => {}
  }
  return async (request, reply) => {
    const { ratePolicy, interfaceName } = request.routeOptions.config
    const declared = ratePolicy ?? policyOfApi(interfaceName)
    if (declared === undefined || declared === false) return
    const policy = isBrowserCall(request) ? browserCalls : declared
    const counted = policy.choose(request)
    if (counted === undefined) return
    const taken = await limiter.take(keyOf(policy.name, counted), counted)
    setRateHeaders(reply, taken)
    if (taken.allowed) return
    await pacing.wait(counted.per)
    throw tooManyRequests(taken, counted.windowSeconds)
  }
}

/** Sets the rate limit headers of a response. Does not throw. */
export function setRateHeaders(reply: FastifyReply, { limit, remaining, resetsAt }: Count): void {
  reply.headers({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetsAt.getTime() / 1000)),
  })
}

/** Returns the caller's count under a policy without counting: the same numbers as the headers. Throws `database_unavailable`. */
export async function readRate(
  limiter: Limiter,
  policy: RatePolicy,
  request: FastifyRequest,
): Promise<Count | undefined> {
  const counted = policy.choose(request)
  return counted === undefined ? undefined : await limiter.peek(keyOf(policy.name, counted), counted)
}

/** How often accounts were counted under a policy of `perCaller`, in the order of their ids. Throws `database_unavailable`. */
export function readUsedByAccounts(
  limiter: Pick<Limiter, 'usedBy'>,
  policy: RatePolicy,
  { accountIds, windowSeconds }: { readonly accountIds: readonly string[]; readonly windowSeconds: number },
): Promise<readonly number[]> {
  const keys = accountIds.map((id) => `${policy.name} ${accountKeyOf(id)}`)
  return limiter.usedBy(keys, windowSeconds)
}

/** Counts once more for a request that does the work of several. Throws `too_many_requests` beyond the limit, and `database_unavailable`. */
export async function countFor(
  limiter: Pick<Limiter, 'take'>,
  policy: CallerRatePolicy,
  request: Pick<FastifyRequest, 'principal' | 'ip'>,
): Promise<void> {
  const counted = policy.choose(request)
  if (counted === undefined) return
  const taken = await limiter.take(keyOf(policy.name, counted), counted)
  if (!taken.allowed) throw tooManyRequests(taken, counted.windowSeconds)
}

function keyOf(policyName: string, { per }: CountedRate): string {
  return `${policyName} ${per}`
}

function isBrowserCall({ principal, headers }: FastifyRequest): boolean {
  if (principal.method !== 'session' || principal.credential === null) return false
  return String(headers['x-requested-with']).toLowerCase() === 'xmlhttprequest'
}

function refuseWithoutLimiter(where: string, policy: RatePolicy | false | undefined): void {
  if (policy === undefined || policy === false) return
  throw new Error(`${where} has the rate policy ${policy.name}, but this server has no limiter`)
}

function tooManyRequests({ limit, secondsLeft }: Taken, windowSeconds: number): Failure {
  const seconds = Math.max(1, Math.ceil(secondsLeft))
  return kernelFailure('too_many_requests', {
    message: `The limit of ${limit} requests per ${windowWords[windowSeconds] ?? `${windowSeconds} seconds`} is used up. Try again in ${describeWait(seconds)}.`,
    details: { limit, window_seconds: windowSeconds },
    retryAfterSeconds: seconds,
  })
}

const windowWords: Readonly<Record<number, string>> = {
  1: 'second',
  60: 'minute',
  3600: 'hour',
  86_400: 'day',
}

function describeWait(seconds: number): string {
  if (seconds < 60) return `${seconds} second${seconds === 1 ? '' : 's'}`
  const minutes = Math.ceil(seconds / 60)
  return `${minutes} minute${minutes === 1 ? '' : 's'}`
}

interface LoadSheddingOptions {
  readonly exhaustedResource: (() => string | undefined) | undefined
  readonly loopDelayLimitMs: number | undefined
  readonly closing: AbortSignal
}

const defaultLoopDelayLimitMs = 1000

/** Refuses new requests with 503 while the process is overloaded or closing. Health checks always pass. */
export function shedLoad(app: HttpServer, options: LoadSheddingOptions): void {
  const { exhaustedResource, loopDelayLimitMs: limitMs = defaultLoopDelayLimitMs, closing } = options
  const loop = monitorEventLoop({ limitMs, windowMs: 500 })
  app.addHook('onClose', async () => loop.close())
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.neverShed === true) return done()
    if (closing.aborted) {
      reply.header('connection', 'close')
      return done(kernelFailure('shutting_down', { retryAfterSeconds: 5 }))
    }
    const limit = loop.isLate() ? 'processor' : exhaustedResource?.()
    done(
      limit === undefined
        ? undefined
        : kernelFailure('overloaded', { details: { limit }, retryAfterSeconds: 2 }),
    )
  })
}

interface EventLoopMonitor {
  /** Whether the mean delay exceeded the limit in each of the last two windows. */
  isLate(): boolean
  close(): void
}

interface EventLoopMonitorOptions {
  readonly limitMs: number
  readonly windowMs: number
}

type Delays = Pick<
  ReturnType<typeof monitorEventLoopDelay>,
  'count' | 'mean' | 'enable' | 'disable' | 'reset'
>

/**
 * Monitors the delay of the event loop. A window without a sample counts for nothing. One late window may be a single long task that has
 * already ended, so only two in a row count.
 */
export function monitorEventLoop(
  { limitMs, windowMs }: EventLoopMonitorOptions,
  delays: Delays = monitorEventLoopDelay({ resolution: 20 }),
): EventLoopMonitor {
  delays.enable()
  let late = false
  let lateBefore = false
  const timer = setInterval(() => {
    if (delays.count === 0) return
    const lateNow = delays.mean / 1e6 > limitMs
    late = lateNow && lateBefore
    lateBefore = lateNow
    delays.reset()
  }, windowMs)
  timer.unref()
  return {
    isLate: () => late,
    close() {
      clearInterval(timer)
      delays.disable()
    },
  }
}
