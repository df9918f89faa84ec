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
      '`unknown`: not heard from yet. `healthy`: answers. `unhealthy`: does not, and is left alone for a while. `probing`: answers again, but not for long enough. `draining`: an operator wants it to take no new request.',
  },
)

/** A model node as everybody sees it. A record never changes; the next look gives a new one. */
export const nodeRecordSchema = Type.Object(
  {
    id: Type.String({ description: 'Follows from the url, so it stays the same over restarts.' }),
    url: Type.String(),
    status: nodeStatusSchema,
    models: Type.Array(Type.String(), { description: 'Models the node had when it last answered, by name.' }),
    loaded_models: Type.Array(Type.String(), { description: 'Those of them that are in memory.' }),
    weight: Type.Integer({ minimum: 1 }),
    active_connections: Type.Integer({ description: 'Requests the node is working on for this cluster.' }),
    requests: Type.Integer({ description: 'Requests it was given since the service started.' }),
    failures: Type.Integer({ description: 'Those of them it failed.' }),
    latency: Type.Object(
      { p50: milliseconds, p95: milliseconds, ewma: milliseconds },
      { description: 'Milliseconds the node takes to list its models; null until it has answered once.' },
    ),
    last_check: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    last_error: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last probe, or the last request, failed, if it did.',
    }),
    version: Type.Union([Type.String(), Type.Null()], { description: 'Of the runtime, if it tells.' }),
    source: Type.Union(
      [
        Type.Literal('config'),
        Type.Literal('runtime'),
        Type.Literal('kubernetes'),
        Type.Literal('discovery'),
      ],
      { description: 'Who named it; with several, the most binding, in this order.' },
    ),
  },
  { description: 'A model node.' },
)

export type NodeStatus = Static<typeof nodeStatusSchema>
export type NodeRecord = Readonly<Static<typeof nodeRecordSchema>>
