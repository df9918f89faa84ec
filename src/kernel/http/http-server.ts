import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { LoopTurns } from '#kernel/timers'
import type { Access, Principal } from './access.ts'
import type { AccountShares } from './account-shares.ts'
import type { ApiDefinition } from './api-definition.ts'
import type { Heartbeats } from './event-stream.ts'
import type { RatePolicy } from './request-limits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Excluded from the OpenAPI description: pages and assets. */
    undocumented?: true
    /** Exempt from load shedding: health checks. */
    neverShed?: true
    /** `always`: a write without any credential needs a token too. */
    csrfToken?: 'always'
    /** Rate limit of this route instead of the API's; false: no limit. */
    ratePolicy?: RatePolicy | false
    interfaceName?: string
    /** The body is passed on with `writeJson`: the bytes of its long texts stay in memory until they are forgotten. */
    forwardsBody?: true
  }
  interface FastifyRequest {
    principal: Principal
    /** The response is a stream of events that lasts as long as the client reads it. */
    isEventStream: boolean
    /** The response is a failure that a module declares, not a fault of the server. */
    isExpectedFailure: boolean
  }
  interface FastifyInstance {
    /** Long work of requests, such as reading a large body: accounts take turns. */
    readonly turns: LoopTurns
    /** Aborts when the server starts to close. Endless streams end then, so that closing does not wait for them. */
    readonly closing: AbortSignal
    /** Aborts shortly before the remaining connections are closed, so that streams can send a final message. */
    readonly terminating: AbortController
    readonly interfaces: ApiDefinition[]
    readonly heartbeats: Heartbeats
    readonly accountShares: AccountShares
    /** Authenticates the request again and updates its `principal`: for long responses. False when access was revoked. */
    readonly isStillAllowed: (request: FastifyRequest) => Promise<boolean>
  }
}

/** A Fastify server whose routes are typed by their TypeBox schemas. */
export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
