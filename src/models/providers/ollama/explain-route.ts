import { NoRouteLeft, type RoutedAnswer } from '#cluster'
import { readErrorBody } from '../error-body.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { readRetryAfter } from '../retry-after.ts'
import { failureOfStatus } from '../status-failure.ts'

const names: Readonly<Record<RoutedAnswer['route']['kind'], string>> = {
  cluster: 'The cluster',
  gateway: 'The other gateway',
  node: 'The node',
}

/** Who answers by a route; begins sentences. */
export function whoIs({ kind }: RoutedAnswer['route']): string {
  return names[kind]
}

/** Why there is no answer to be had from anywhere. */
export function explainNoRoute(error: NoRouteLeft): ProviderFailure {
  const isLate = error.failures.some(({ reason }) => reason === 'late')
  const told = error.failures.flatMap(({ retryAfter }) => readRetryAfter(retryAfter) ?? [])
  return new ProviderFailure({
    kind: isLate ? 'timeout' : 'unavailable',
    message: `No model of the cluster can be asked: ${reasonsOf(error)}.`,
    retryAfterSeconds: told.length === 0 ? undefined : Math.min(...told),
    cause: error,
  })
}

/** In the words of whoever asks, who does not need to know our addresses; those are in the cause. */
function reasonsOf({ failures }: NoRouteLeft): string {
  const reasons = failures.map(({ kind, message }) => `${kind}: ${message}`)
  return reasons.length === 0 ? 'there is no way to one' : reasons.join('; ')
}

/** What an answer that is none means. `text` is its body. */
export function explainStatus({ route, status, headers }: RoutedAnswer, text: string): ProviderFailure {
  const retryAfterSeconds = readRetryAfter([headers['retry-after']].flat()[0])
  const { apiKey: key } = route
  return failureOfStatus({
    who: whoIs(route),
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

/** Puts whatever went wrong while an answer was read into our words. */
export function explainBroken(error: unknown, route: RoutedAnswer['route']): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  const message = `${whoIs(route)} closed the connection in the middle of the answer.`
  return new ProviderFailure({ kind: 'unavailable', message, cause: error })
}
