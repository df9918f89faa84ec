import { type Static, type TObject, type TString, Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { CatalogueEntry, CatalogueSource } from '../gateway/catalogue-entry.ts'
import type { CallRequirements } from '../gateway/eligible.ts'
import { orderWithoutChance, priceOf } from '../routing/order-targets.ts'
import { type CheckedTarget, type ResolvedRoute, resolveRoute } from '../routing/resolve-route.ts'
import type { ResponseTimes } from '../routing/response-times.ts'
import type { ModelRoute } from '../routing/route.ts'

export interface ExplainRouteOptions {
  readonly catalogue: CatalogueSource
  readonly responseTimes: Pick<ResponseTimes, 'of'>
  readonly params: TObject<{ name: TString }>
  readonly access: { readonly signedIn: true; readonly scope: string }
  /** Throws `not_found` for an unknown name. */
  readonly requireRoute: (name: string) => Promise<ModelRoute>
}

const capabilities = ['completion', 'embedding', 'tools', 'vision', 'audio', 'files'] as const

const ExplainRequest = Type.Object(
  {
    session: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'The session of the call, by which a weighted route chooses.',
      }),
    ),
    capabilities: Type.Optional(
      Type.Array(Type.Enum(capabilities), {
        maxItems: capabilities.length,
        description: 'What the call needs. Default: `completion`.',
      }),
    ),
  },
  { additionalProperties: false, description: 'A call that is not made.' },
)

const Candidate = Type.Object(
  {
    provider: Type.Union([Type.String(), Type.Null()], {
      description: 'Null when the catalogue does not have the model.',
    }),
    model: Type.String(),
    weight: Type.Integer(),
    micro_dollars: Type.Union([Type.Number(), Type.Null()], {
      description: 'The price of a thousand tokens of input and of output; null when unpriced.',
    }),
    first_token_ms: Type.Union([Type.Number(), Type.Null()], {
      description: 'The time to the first token that this replica measured; null without measurements.',
    }),
    state: Type.Enum(['candidate', 'excluded']),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it is excluded, or why it may fail.',
    }),
  },
  { description: 'A target of the route.' },
)

const Explanation = Type.Object(
  {
    route: Type.String(),
    version: Type.Integer(),
    strategy: Type.String(),
    reason: Type.String({ description: 'Why the candidates are tried in this order.' }),
    candidates: Type.Array(Candidate, {
      description: 'The candidates in the order they are tried, then the excluded targets.',
    }),
  },
  { description: 'How the route chooses for this call.' },
)

/** The route that explains how a route chooses. */
export function addExplainRoute(routes: HttpServer, options: ExplainRouteOptions): void {
  const { catalogue, responseTimes, params, access, requireRoute } = options
  routes.post(
    '/api/v1/model-routes/:name/explain',
    {
      config: { access },
      schema: {
        operationId: 'explainModelRoute',
        summary: 'Explain the choice of a route',
        description:
          'Returns the models that a call of this caller would try now, without calling one. Without a session, a weighted route is explained for its first target with a weight. Times are those of this replica.',
        params,
        body: ExplainRequest,
        response: { 200: Explanation },
      },
    },
    async ({ params: { name }, body, principal: { limits } }, reply) => {
      const [route, known] = await Promise.all([requireRoute(name), catalogue.find()])
      const resolved = resolveRoute(route, {
        known,
        limits,
        requirements: requirementsOf(body.capabilities),
        order: orderWithoutChance(responseTimes, body.session),
      })
      const { version, strategy, reason } = resolved
      return reply.header('cache-control', 'no-store').send({
        route: name,
        version,
        strategy,
        reason,
        candidates: describeTargets(resolved, responseTimes),
      })
    },
  )
}

function requirementsOf(needed: readonly (typeof capabilities)[number][] = []): CallRequirements {
  const isFeature = (name: (typeof capabilities)[number]) => name !== 'completion' && name !== 'embedding'
  return {
    capability: needed.includes('embedding') ? 'embedding' : 'completion',
    runtimeFields: [],
    features: new Set(needed.filter(isFeature)),
  }
}

function describeTargets(
  { targets, entries }: ResolvedRoute,
  times: Pick<ResponseTimes, 'of'>,
): Static<typeof Candidate>[] {
  const rankOf = ({ entry, excluded }: CheckedTarget) =>
    entry === undefined || excluded !== undefined ? entries.length : entries.indexOf(entry)
  return targets
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map(({ model, weight, entry, excluded }) => {
      const firstTokenMs = entry && times.of(entry, 'first_token')
      const isFailing = firstTokenMs === Number.POSITIVE_INFINITY
      return {
        provider: entry?.provider ?? null,
        model: entry?.model.id ?? model,
        weight,
        micro_dollars: (entry && priceOf(entry)) ?? null,
        first_token_ms: firstTokenMs === undefined || isFailing ? null : firstTokenMs,
        state: excluded === undefined ? ('candidate' as const) : ('excluded' as const),
        reason: excluded?.reason ?? findDoubt(entry, isFailing),
      }
    })
}

/** Why a candidate may fail; null when nothing is known. */
function findDoubt(entry: CatalogueEntry | undefined, isFailing: boolean): string | null {
  if (entry?.model.available === false) return 'The model is unavailable now'
  return isFailing ? 'Its last attempt failed' : null
}
