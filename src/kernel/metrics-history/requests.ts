/** A response, complete or aborted by the client. */
export interface RecordedResponse {
  readonly interfaceName: string
  readonly status: number
  readonly ms: number
  /** The client disconnected before the end. */
  readonly left: boolean
  /** An endless stream, whose duration means nothing. */
  readonly streamed: boolean
  /** A failure that a module declares, such as a failed execution: not an error of the server. */
  readonly isExpectedFailure?: boolean
}

/**
 * Requests by outcome. The names are stored and part of responses.
 *
 * | kind            | outcome                                                   | server error |
 * |-----------------|-----------------------------------------------------------|--------------|
 * | answered        | status below 400, including streams                       | no           |
 * | refused         | error of the caller (4xx), or an expected failure         | no           |
 * | left            | the client disconnected                                   | no           |
 * | timed_out       | timeout (504)                                             | yes          |
 * | provider_failed | an upstream service failed (502)                          | yes          |
 * | failed          | internal error or overload (every other 5xx)              | yes          |
 */
export const requestKinds = ['answered', 'refused', 'left', 'timed_out', 'provider_failed', 'failed'] as const
export type RequestKind = (typeof requestKinds)[number]

/** The metric name of all durations. */
export const requestDurations = 'requests'

const names: Readonly<Record<RequestKind, string>> = {
  answered: 'requests.answered',
  refused: 'requests.refused',
  left: 'requests.left',
  timed_out: 'requests.timed_out',
  provider_failed: 'requests.provider_failed',
  failed: 'requests.failed',
}

/** The metric name of a kind of requests. */
export function nameOfKind(kind: RequestKind): string {
  return names[kind]
}

const apiPrefix = 'requests@'

export function nameOfApi(interfaceName: string): string {
  return `${apiPrefix}${interfaceName}`
}

/** The API of a metric name; undefined for other names. */
export function apiOfName(name: string): string | undefined {
  return name.startsWith(apiPrefix) ? name.slice(apiPrefix.length) : undefined
}

export function kindOf({ left, status, isExpectedFailure = false }: RecordedResponse): RequestKind {
  if (left) return 'left'
  if (status < 400) return 'answered'
  if (status < 500) return 'refused'
  if (status === 504) return 'timed_out'
  if (status === 502) return 'provider_failed'
  return isExpectedFailure ? 'refused' : 'failed'
}
