import { NoRouteLeft, type RoutedResponse } from '#cluster'
import { ProviderFailure } from '../provider-failure.ts'
import { failureOfStatus, readErrorBody, readRetrySeconds } from '../status-failure.ts'

const names: Readonly<Record<RoutedResponse['route']['kind'], string>> = {
  cluster: 'The cluster',
  gateway: 'The other gateway',
  node: 'The node',
}

/** The name of a route for failure messages. */
export function routeLabel({ kind }: RoutedResponse['route']): string {
  return names[kind]
}

/** The failure of a call that no route could serve. */
export function noRouteFailure(error: NoRouteLeft): ProviderFailure {
  const isLate = error.failures.some(({ reason }) => reason === 'late')
  const retryAfters = error.failures.flatMap(({ retryAfter }) => readRetrySeconds(retryAfter) ?? [])
  return new ProviderFailure({
    kind: isLate ? 'timeout' : 'unavailable',
    message: `No route to the models of the cluster is available: ${reasonsOf(error)}.`,
    retryAfterSeconds: retryAfters.length === 0 ? undefined : Math.min(...retryAfters),
    cause: error,
  })
}

/** Without addresses, which callers do not need to know; the cause has them. */
function reasonsOf({ failures }: NoRouteLeft): string {
  const reasons = failures.map(({ kind, message }) => `${kind}: ${message}`)
  return reasons.length === 0 ? 'there is no route' : reasons.join('; ')
}

/** The failure for an error response. `text` is its body. */
export function explainStatus({ route, status, headers }: RoutedResponse, text: string): ProviderFailure {
  const retryAfterSeconds = readRetrySeconds(headers['retry-after'])
  const { apiKey: key } = route
  return failureOfStatus({
    label: routeLabel(route),
    status,
    ...readErrorBody(parseJson(text)),
    retryAfterSeconds,
    key,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Converts an error while reading a response to a ProviderFailure. */
export function explainBroken(error: unknown, route: RoutedResponse['route']): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  const message = `${routeLabel(route)} closed the connection in the middle of the response.`
  return new ProviderFailure({ kind: 'unavailable', message, cause: error })
}
