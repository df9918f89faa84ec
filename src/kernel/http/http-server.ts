import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Access } from './access.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { InterfaceDefinition } from './interface-definition.ts'
import type { Principal } from './principal.ts'
import type { RatePolicy } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Left out of the OpenAPI description: pages and assets. */
    undocumented?: true
    /** Answered even when load is being shed: health checks. */
    neverShed?: true
    /** `always`: a write of somebody without any credential needs a token, too. */
    csrfToken?: 'always'
    /** Counts this route by a policy of its own instead of the interface's; false: not at all. */
    ratePolicy?: RatePolicy | false
    interfaceName?: string
  }
  interface FastifyRequest {
    principal: Principal
    /** It was answered with events, for as long as somebody reads them. */
    isEventStream: boolean
    /** It was answered with a failure that a capability foresees, and not because something is wrong here. */
    failedAsForeseen: boolean
  }
  interface FastifyInstance {
    /** Aborted when the server starts to close: streams without an end of their own end, so that closing does not wait for them. */
    readonly closing: AbortSignal
    /** Aborted a moment before what still runs is cut off, so that it can say so. */
    readonly cuttingOff: AbortController
    readonly interfaces: InterfaceDefinition[]
    readonly heartbeats: Heartbeats
    /** Whether who asked may still do so: for answers that go on long after the question. `principal` is as it is now, then. */
    readonly stillAllows: (request: FastifyRequest) => Promise<boolean>
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
