import type { ModelClient } from '#cluster'
import type { ProviderProbe } from '../provider.ts'

type RouteProbe = Awaited<ReturnType<ModelClient['probe']>>[number]

/**
 * How the models of the cluster are, by how the ways to them are.
 *
 * | the cluster           | another way   | is             |
 * |-----------------------|---------------|----------------|
 * | answers               |               | as it says     |
 * | does not              | is there      | degraded       |
 * | has not a single node | is not        | unconfigured   |
 * | does not              | is not        | offline        |
 */
export function judgeRoutes(probes: readonly RouteProbe[]): ProviderProbe {
  const [cluster, ...others] = probes
  if (cluster?.state === 'online' || cluster?.state === 'degraded') {
    return { state: cluster.state, problem: cluster.problem, responseMs: cluster.responseMs }
  }
  const why = cluster === undefined ? 'There is no cluster.' : explain(cluster)
  const other = others.find(({ state }) => state === 'online')
  if (other !== undefined) {
    const problem = `${why} Requests go to the ${other.kind} at ${other.url}.`
    return { state: 'degraded', problem, responseMs: other.responseMs }
  }
  return {
    state: cluster?.state === 'empty' ? 'unconfigured' : 'offline',
    problem: why,
    responseMs: cluster?.responseMs ?? null,
  }
}

function explain({ url, problem, responseMs }: RouteProbe): string {
  const reason = problem ?? 'it cannot answer'
  return responseMs === null ? `The cluster at ${url} cannot be asked: ${reason}.` : reason
}
