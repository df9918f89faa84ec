import { type Static, Type } from 'typebox'
import { runtimeSchema } from './runtime.ts'

const milliseconds = Type.Union([Type.Number(), Type.Null()])

const nodeStatusSchema = Type.Union(
  [
    Type.Literal('unknown'),
    Type.Literal('healthy'),
    Type.Literal('unhealthy'),
    Type.Literal('probing'),
    Type.Literal('draining'),
  ],
  {
    description:
      '`unknown`: not probed yet. `healthy`: receives requests. `unhealthy`: failed, and receives no requests. `probing`: probed again after a failure. `draining`: finishes its requests and receives no new ones.',
  },
)

/** The public record of a model node. Records are immutable. */
export const nodeRecordSchema = Type.Object(
  {
    id: Type.String({ description: 'Derived from the URL, so it stays the same over restarts.' }),
    url: Type.String(),
    status: nodeStatusSchema,
    models: Type.Array(Type.String(), { description: 'Names of the models at the last successful probe.' }),
    loaded_models: Type.Array(Type.String(), { description: 'Models in memory.' }),
    weight: Type.Integer({
      minimum: 1,
      description: 'Share of the requests compared to other nodes. Without effect under round-robin.',
    }),
    active_connections: Type.Integer({ description: 'Running requests of this cluster on the node.' }),
    requests: Type.Integer({ description: 'Requests since the service started.' }),
    failures: Type.Integer({ description: 'Failed requests since the service started.' }),
    latency: Type.Object(
      { p50: milliseconds, p95: milliseconds, ewma: milliseconds },
      { description: 'Milliseconds the node takes to list its models; null before the first response.' },
    ),
    last_check: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    last_error: Type.Union([Type.String(), Type.Null()], {
      description: 'Error of the last failed probe or request.',
    }),
    runtime: Type.Union([runtimeSchema, Type.Null()], {
      description: 'The server program of the node; null before its first response, unless it is set.',
    }),
    version: Type.Union([Type.String(), Type.Null()], { description: 'Version of the runtime, if known.' }),
    max_concurrency: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description:
        'Requests that the node processes at once, as it reports; null without a report. CLUSTER_NODE_CONCURRENCY is the upper bound, and applies without a report.',
    }),
    source: Type.Union(
      [
        Type.Literal('config'),
        Type.Literal('runtime'),
        Type.Literal('kubernetes'),
        Type.Literal('discovery'),
      ],
      { description: 'Source of the node; with several, the first in this order.' },
    ),
    changed_by: Type.Union([Type.String(), Type.Null()], {
      description: 'Id of the operator who last added, drained or weighed the node; null without one.',
    }),
    changed_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { description: 'A model node.' },
)

export type NodeStatus = Static<typeof nodeStatusSchema>
export type NodeRecord = Readonly<Static<typeof nodeRecordSchema>>
