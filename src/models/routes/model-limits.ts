import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { auditContextOf } from '../audit-context.ts'
import { allModels, type ModelLimit, type ModelLimits, maxModelLimits } from '../limits/model-limits.ts'
import { type ProviderRegistry, providerNamePattern } from '../providers/registry.ts'

export interface ModelLimitRoutesOptions {
  readonly limits: ModelLimits
  readonly providers: ProviderRegistry
}

const access = { permission: 'administer llm' } as const

const limit = (maximum: number, description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum }), Type.Null()], { description }))

const givenLimit = Type.Object(
  {
    max_concurrent: limit(
      100_000,
      'Calls that each replica runs at the same time. Further calls wait up to `MODEL_LIMIT_WAIT`.',
    ),
    requests_per_minute: limit(1_000_000, 'Calls per minute, of all replicas together.'),
    tokens_per_minute: limit(
      1_000_000_000,
      'Input and output tokens per minute, of all replicas together. They count when a call has ended; a call is admitted while the minute is not used up.',
    ),
  },
  { additionalProperties: false, description: 'At least one limit. Absent or null: no such limit.' },
)

const OptionalCount = Type.Union([Type.Integer(), Type.Null()])

const Limit = Type.Object(
  {
    provider: Type.String(),
    model: Type.String({ description: '`*`: all models of the provider together.' }),
    max_concurrent: OptionalCount,
    requests_per_minute: OptionalCount,
    tokens_per_minute: OptionalCount,
    updated_at: Type.String({ format: 'date-time' }),
    updated_by: Type.Union([Type.String(), Type.Null()], { description: 'The account that set it.' }),
  },
  { description: 'The limits of a model, or of all models of a provider together.' },
)

const params = Type.Object({
  provider: Type.String({
    pattern: providerNamePattern,
    'x-means': 'must be the name of a provider',
    description: 'The name of the provider.',
  }),
  model: Type.String({
    minLength: 1,
    maxLength: 256,
    pattern: '^[^\\p{Cc}]*$',
    'x-means': 'must be the id of a model, or *',
    description:
      'The id of the model, percent-encoded: `hf.co%2Fnadia%2Ftuned`. The model does not have to exist yet. `*`: all models of the provider together.',
  }),
})

/** Limits of concurrent calls, requests and tokens of models and providers. */
export function addModelLimitRoutes(
  routes: HttpServer,
  { limits, providers }: ModelLimitRoutesOptions,
): void {
  routes.get(
    '/api/v1/model-limits',
    {
      config: { access },
      schema: {
        operationId: 'listModelLimits',
        summary: 'List the limits of models',
        description: `Returns the limits of models and providers, ordered by provider and model. There are at most ${maxModelLimits}.`,
        response: {
          200: Type.Object(
            { data: Type.Array(Limit), total: Type.Integer() },
            { description: 'All limits of models and providers.' },
          ),
        },
      },
    },
    async (_request, reply) => {
      const data = [...(await limits.read()).values()].map(describeLimit)
      return reply.header('cache-control', 'no-store').send({ data, total: data.length })
    },
  )

  routes.put(
    '/api/v1/model-limits/:provider/:model',
    {
      config: { access },
      schema: {
        operationId: 'setModelLimit',
        summary: 'Set the limits of a model',
        description:
          'Replaces the limits of a model, or of all models of a provider together (`*`), in all replicas. A call needs the permission of both. A call at a limit goes to its next candidate; without one it waits for a concurrent call to end, or is refused with `model_limit_reached`.',
        params,
        body: givenLimit,
        response: { 200: Limit },
      },
    },
    async (request, reply) => {
      const { provider, model } = request.params
      const known = await providers.read()
      if (!known.has(provider)) {
        throw kernelFailure('not_found', {
          message: `There is no provider "${provider}". Limits can be set for ${[...known.keys()].join(', ')}.`,
        })
      }
      const stored = await limits.set(
        { provider, model, ...readLimit(request.body) },
        auditContextOf(request),
      )
      return reply.header('cache-control', 'no-store').send(describeLimit(stored))
    },
  )

  routes.delete(
    '/api/v1/model-limits/:provider/:model',
    {
      config: { access },
      schema: {
        operationId: 'removeModelLimit',
        summary: 'Delete the limits of a model',
        description: 'Waiting calls start at once, unless another limit keeps them out.',
        params,
        response: { 204: Type.Null({ description: 'The limits were deleted.' }) },
      },
    },
    async (request, reply) => {
      const { provider, model } = request.params
      if (!(await limits.remove(provider, model, auditContextOf(request)))) {
        const owner = model === allModels ? `all models of ${provider} together` : `${model} of ${provider}`
        throw kernelFailure('not_found', { message: `There are no limits for ${owner}.` })
      }
      return reply.code(204).send(null)
    },
  )
}

/** Throws `invalid_input` when no limit is given. */
function readLimit(given: Static<typeof givenLimit>) {
  const { max_concurrent = null, requests_per_minute = null, tokens_per_minute = null } = given
  if (max_concurrent === null && requests_per_minute === null && tokens_per_minute === null) {
    const message =
      'must have max_concurrent, requests_per_minute or tokens_per_minute; use DELETE to remove the limits'
    throw kernelFailure('invalid_input', {
      message: `The body ${message}.`,
      problems: [{ path: '', message, code: 'required' }],
    })
  }
  return {
    maxConcurrent: max_concurrent,
    requestsPerMinute: requests_per_minute,
    tokensPerMinute: tokens_per_minute,
  }
}

function describeLimit(stored: ModelLimit): Static<typeof Limit> {
  return {
    provider: stored.provider,
    model: stored.model,
    max_concurrent: stored.maxConcurrent,
    requests_per_minute: stored.requestsPerMinute,
    tokens_per_minute: stored.tokensPerMinute,
    updated_at: stored.updatedAt.toISOString(),
    updated_by: stored.updatedBy,
  }
}
