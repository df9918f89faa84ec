import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { RecordedContent } from '../../recording/content.ts'
import type { CallRecord } from '../../usage/call-record.ts'
import type { Usage } from '../../usage/usage.ts'
import { describeCall } from './describe-call.ts'
import { Call } from './schemas.ts'

const OptionalText = Type.Union([Type.String(), Type.Null()])
const OptionalCount = Type.Union([Type.Integer(), Type.Null()])

const RouteStep = Type.Object(
  {
    provider: Type.String(),
    model: Type.String(),
    reason: Type.String({
      description:
        'Why it is a candidate: `requested`, `default` (for the model `auto`), `route` (a target of the route) or `fallback`.',
    }),
    outcome: Type.String({ description: '`answered`, `failed`, `cancelled`, `skipped` or `not_tried`.' }),
    code: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it failed or was skipped, such as `provider_rate_limited` or `budget_used_up`.',
    }),
    started_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'From the start of the call to the attempt.',
    }),
    duration_ms: OptionalCount,
  },
  { description: 'A candidate of the call and what became of it.' },
)

const UsedRoute = Type.Object(
  {
    name: Type.String(),
    version: Type.Integer(),
    strategy: Type.String(),
    reason: Type.String({ description: 'Why its targets were tried in this order.' }),
  },
  { description: 'The route that the call named, or that `auto` stands for.' },
)

const CallDetails = Type.Object(
  {
    ...Call.properties,
    execution_id: OptionalText,
    step_id: OptionalText,
    trace_id: Type.Union([Type.String(), Type.Null()], { description: 'Null without tracing.' }),
    route: Type.Union([Type.Array(RouteStep), Type.Null()], {
      description: 'The candidates in the order they were tried; null for a lost call.',
    }),
    model_route: Type.Union([UsedRoute, Type.Null()], {
      description: 'The route that the call named, or that `auto` stands for; null for a model.',
    }),
    content: Type.Union([RecordedContent, Type.Null()], {
      description: 'Null unless MODEL_RECORDING allows it, and after MODEL_RECORDING_RETENTION.',
    }),
  },
  { description: 'One call with its route and its recorded content.' },
)

/** Adds the route of a single call. */
export function addCallRoute(routes: HttpServer, { usage }: { readonly usage: Pick<Usage, 'call'> }): void {
  routes.get(
    '/api/v1/usage/calls/:id',
    {
      config: { access: { signedIn: true, scope: 'models.read' } },
      schema: {
        operationId: 'readCall',
        summary: 'Get a model call',
        description:
          'Returns a call with the route it took and, if they were recorded, prompt and answer. Calls of other accounts need the permission `administer llm`.',
        params: Type.Object({
          id: Type.String({ format: 'uuid', description: 'The `X-Call-Id` of the response.' }),
        }),
        response: { 200: CallDetails },
      },
    },
    async ({ principal, params }, reply) => {
      if (principal.id === null) throw kernelFailure('authentication_required')
      const account = principal.permissions.has('administer llm') ? undefined : principal.id
      const found = await usage.call(params.id, { account })
      if (found === undefined) {
        throw kernelFailure('not_found', {
          message:
            'You have no call with this id. A call is recorded a moment after its response, and deleted after MODEL_CALL_RETENTION.',
        })
      }
      return reply
        .header('cache-control', 'no-store')
        .send({ ...describeDetails(found.call), content: found.content ?? null })
    },
  )
}

function describeDetails(call: CallRecord) {
  return {
    ...describeCall(call),
    execution_id: call.executionId,
    step_id: call.stepId,
    trace_id: call.traceId,
    route: call.route && call.route.map(({ route: _route, ...step }) => step),
    model_route: call.route?.find(({ route }) => route !== undefined)?.route ?? null,
  }
}
