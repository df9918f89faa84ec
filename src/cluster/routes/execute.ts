import { performance } from 'node:perf_hooks'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { ClusterAccess } from '../callers/access.ts'
import { accountOf } from '../callers/callers.ts'
import type { KeyLimitCheck } from '../callers/key-limits.ts'
import type { Cluster } from '../cluster.ts'
import { refuseOtherModels } from '../data-path/data-path.ts'
import { readRequestOptions } from '../data-path/request-options.ts'
import { clusterFailure } from '../errors.ts'
import { canonicalModelName } from '../nodes/model-name.ts'
import { type CollectedResponse, collectResponse } from '../requests/collect-response.ts'
import { failedStatus } from '../requests/failed-attempt.ts'
import type { RequestRules } from '../settings.ts'
import { strategySchema } from './strategy.ts'

interface ExecuteRouteOptions {
  readonly cluster: Cluster
  readonly access: ClusterAccess
  readonly rules: RequestRules
  readonly keyLimits: KeyLimitCheck
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
  { cluster, access, rules, keyLimits }: ExecuteRouteOptions,
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
      const { strategy, session, caller, priority, isFromGateway } = readRequestOptions(raw, {
        sessionHeader: rules.sessionHeader,
        account: accountOf(principal),
      })
      const gone = new AbortController()
      reply.raw.on('close', () => gone.abort())
      const response = await collectResponse({
        requests: cluster.requests,
        signal: gone.signal,
        timeoutMs: timeout,
        work: {
          path: `/api/${operation}`,
          headers: ['content-type', 'application/json', 'via', `1.1 ${cluster.via}`],
          body: Buffer.from(JSON.stringify(operation === 'embed' ? request : { ...request, stream: false })),
          requirements: {
            model: canonicalModelName(request.model),
            modelAsGiven: request.model,
            strategy: body.strategy ?? strategy,
            session,
            node,
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
