import { type Static, Type } from 'typebox'

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
    weight: Type.Integer({ minimum: 1 }),
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
    version: Type.Union([Type.String(), Type.Null()], { description: 'Version of the runtime, if known.' }),
    source: Type.Union(
      [
        Type.Literal('config'),
        Type.Literal('runtime'),
        Type.Literal('kubernetes'),
        Type.Literal('discovery'),
      ],
      { description: 'Source of the node; with several, the first in this order.' },
    ),
  },
  { description: 'A model node.' },
)

export type NodeStatus = Static<typeof nodeStatusSchema>
export type NodeRecord = Readonly<Static<typeof nodeRecordSchema>>
