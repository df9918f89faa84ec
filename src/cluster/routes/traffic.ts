import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { ClusterAccess } from '../callers/access.ts'
import type { Cluster } from '../cluster.ts'

const count = (description: string) => Type.Integer({ description })

const trafficSchema = Type.Object(
  {
    instance: Type.String({
      description: 'Id of this process: it changes with a restart, when the counters start at 0.',
    }),
    recorded: Type.Boolean({
      description:
        'The platform in this process has the counts in its own metrics; another must not add them again.',
    }),
    requests: count("Requests for nodes, without those of the platform's gateway, which counts its own."),
    prompt_tokens: count('Tokens that the nodes say they read.'),
    completion_tokens: count('Tokens that the nodes say they wrote.'),
  },
  { description: 'Requests and tokens since the process started.' },
)

interface TrafficRouteOptions {
  readonly cluster: Pick<Cluster, 'requests'>
  readonly access: ClusterAccess
}

/** The route of the traffic counters, which a remote platform adds to its metrics. */
export function addTrafficRoute(routes: HttpServer, { cluster, access }: TrafficRouteOptions): void {
  const { traffic } = cluster.requests
  routes.get(
    '/api/cluster/traffic',
    {
      config: { access: access.read },
      schema: { summary: 'Get traffic counters', response: { 200: trafficSchema } },
    },
    async (_request, reply) =>
      reply
        .header('cache-control', 'no-store')
        .send({ instance: traffic.instance, recorded: traffic.isRecorded, ...traffic.totals() }),
  )
}
