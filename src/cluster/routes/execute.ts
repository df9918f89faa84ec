import { performance } from 'node:perf_hooks'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { ClusterAccess } from '../callers/access.ts'
import type { KeyLimitCheck } from '../callers/key-limits.ts'
import type { Cluster } from '../cluster.ts'
import { strategySchema } from '../control/control.ts'
import { refuseOtherModels } from '../data-path/data-path.ts'
import { dataRequestOf } from '../data-path/http-exchange.ts'
import { endsOf, isCharged, type MeterRequest, neverSent, requireOneModel } from '../data-path/metering.ts'
import { callerOptionsOf, readRequestOptions } from '../data-path/request-options.ts'
import { clusterFailure } from '../errors.ts'
import { canonicalModelName } from '../nodes/model-name.ts'
import { type CollectedResponse, collectResponse } from '../requests/collect-response.ts'
import { failedStatus } from '../requests/failed-attempt.ts'
import type { RequestRules } from '../settings.ts'
import { prefersNative } from '../translation/compatible-request.ts'

interface ExecuteRouteOptions {
  readonly cluster: Cluster
  readonly access: ClusterAccess
  readonly rules: RequestRules
  readonly keyLimits: KeyLimitCheck
  /** Charges requests of the platform's accounts. */
  readonly meter: MeterRequest | undefined
}

const maxTimeoutMs = 86_400_000

const executeBody = Type.Object({
  operation: Type.Union([Type.Literal('generate'), Type.Literal('chat'), Type.Literal('embed')]),
  request: Type.Object(
    { model: Type.String({ minLength: 1, maxLength: 512 }), stream: Type.Optional(Type.Literal(false)) },
    { additionalProperties: true, description: "The body of the runtime's own path of this name." },
  ),
  strategy: Type.Optional(strategySchema),
  node: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'Only this node.' })),
  timeout: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxTimeoutMs,
      description: 'Limit of the whole request in milliseconds.',
    }),
  ),
  max_retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
})

const executeResponse = Type.Object(
  {
    success: Type.Literal(true),
    node: Type.String(),
    attempts: Type.Integer(),
    duration_ms: Type.Number(),
    result: Type.Unknown({ description: "The runtime's response." }),
  },
  { description: 'The result with its node, attempts and duration.' },
)

/** Runs one request on the cluster and returns the complete response with its routing details. */
export function addExecuteRoute(
  routes: HttpServer,
  { cluster, access, rules, keyLimits, meter }: ExecuteRouteOptions,
): void {
  routes.post(
    '/api/cluster/execute',
    {
      config: { access: access.generate },
      bodyLimit: rules.bodyLimitBytes,
      schema: { summary: 'Execute a request', body: executeBody, response: { 200: executeResponse } },
    },
    async ({ body, raw, principal }, reply) => {
      const startedMs = performance.now()
      await cluster.settled()
      const { operation, request, node, timeout } = body
      if (principal.limits?.models !== undefined) refuseOtherModels(request)
      const refusal = await keyLimits.check(principal, request.model)
      if (refusal !== undefined) throw refusal
      const requestOptions = readRequestOptions(dataRequestOf(raw), {
        sessionHeader: rules.sessionHeader,
        ...callerOptionsOf(principal),
      })
      const { strategy, session, caller, priority, isFromGateway } = requestOptions
      const gone = new AbortController()
      reply.raw.on('close', () => gone.abort())
      const path = `/api/${operation}`
      const fields: Record<string, unknown> = operation === 'embed' ? request : { ...request, stream: false }
      const metered =
        meter === undefined || !isCharged(principal, requestOptions)
          ? undefined
          : await meter({
              path,
              model: canonicalModelName(request.model),
              modelAsGiven: request.model,
              body: requireOneModel(fields),
              caller: principal,
              headers: raw.headers,
              signal: gone.signal,
            })
      if (gone.signal.aborted) {
        metered?.settle(neverSent)
        throw clusterFailure('attempts_failed', { message: 'the caller left' })
      }
      const response = await collectResponse({
        requests: cluster.requests,
        signal: gone.signal,
        timeoutMs: timeout,
        work: {
          path,
          headers: ['content-type', 'application/json', 'via', `1.1 ${cluster.via}`],
          body: metered?.body ?? Buffer.from(JSON.stringify(fields)),
          onEnd: endsOf(metered?.settle, keyLimits.tokenCounter(principal)),
          requirements: {
            model: canonicalModelName(request.model),
            modelAsGiven: request.model,
            strategy: body.strategy ?? strategy,
            session,
            node,
            prefix: cluster.requests.balancer.prefixOf({
              path,
              model: request.model,
              fields,
              strategy: body.strategy ?? strategy,
            }),
            prefersNative: prefersNative(path, fields),
          },
          caller,
          priority,
          maxRetries: body.max_retries ?? rules.maxRetries,
          isFromGateway,
        },
      })
      return {
        success: true as const,
        node: response.routing.node.id,
        attempts: response.routing.attempts,
        duration_ms: Math.round((performance.now() - startedMs) * 10) / 10,
        result: readResult(response),
      }
    },
  )
}

function readResult({ head: { status }, body, routing: { node } }: CollectedResponse): unknown {
  const details = { node: node.id, status }
  if (status >= 400) {
    const { reason } = failedStatus(status, body)
    const message = `node ${node.id} ${reason}`
    if (status === 404) throw clusterFailure('model_not_found', { message, details })
    throw kernelFailure('invalid_input', { message, details })
  }
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    throw clusterFailure('attempts_failed', {
      message: `node ${node.id} did not return JSON`,
      details,
    })
  }
}
