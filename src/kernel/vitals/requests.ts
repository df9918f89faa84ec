/** An answer that was given, or was on its way when its reader left. */
export interface Answered {
  readonly interfaceName: string
  readonly status: number
  readonly ms: number
  /** The client did not wait for the end. */
  readonly left: boolean
  /** It has no end of its own, so how long it took says nothing. */
  readonly streamed: boolean
  /** What was asked for was done and ended badly, such as an execution that fails: that is an answer like any other. */
  readonly foreseen?: boolean
}

/**
 * What became of requests.
 *
 * | kind            | is                                                        | an error of ours |
 * |-----------------|-----------------------------------------------------------|------------------|
 * | answered        | answered below 400, streams too                           | no               |
 * | refused         | the caller's fault (4xx), or their work ended badly       | no               |
 * | left            | the client did not wait                                   | no               |
 * | timed_out       | something took too long (504)                             | yes              |
 * | provider_failed | somebody we asked did not answer properly (502)           | yes              |
 * | failed          | our own fault, or too much at once (every other 5xx)      | yes              |
 */
export const requestKinds = ['answered', 'refused', 'left', 'timed_out', 'provider_failed', 'failed'] as const
export type RequestKind = (typeof requestKinds)[number]

/** The name that durations of all requests are kept under. */
export const requestDurations = 'requests'

const names: Readonly<Record<RequestKind, string>> = {
  answered: 'requests.answered',
  refused: 'requests.refused',
  left: 'requests.left',
  timed_out: 'requests.timed_out',
  provider_failed: 'requests.provider_failed',
  failed: 'requests.failed',
}

/** The name that requests of a kind are counted under. */
export function nameOfKind(kind: RequestKind): string {
  return names[kind]
}

const interfacePrefix = 'requests@'

export function nameOfInterface(interfaceName: string): string {
  return `${interfacePrefix}${interfaceName}`
}

/** The interface that is counted under a name; undefined when it is none. */
export function interfaceOfName(name: string): string | undefined {
  return name.startsWith(interfacePrefix) ? name.slice(interfacePrefix.length) : undefined
}

export function kindOf({ left, status, foreseen = false }: Answered): RequestKind {
  if (left) return 'left'
  if (status < 400) return 'answered'
  if (status < 500) return 'refused'
  if (status === 504) return 'timed_out'
  if (status === 502) return 'provider_failed'
  return foreseen ? 'refused' : 'failed'
}
