import type { IncomingMessage } from 'node:http'
import { kernelFailure } from '#kernel/errors'
import { type StrategyName, strategyNames } from '../balancing/strategies.ts'
import { gatewayHopHeader } from '../client/route.ts'
import { type Priority, priorities } from '../queue/fair-queue.ts'

/** The options of a request, sent in headers so that the body passes unchanged. */
export interface RequestOptions {
  readonly strategy: StrategyName | undefined
  readonly priority: Priority
  readonly session: string | undefined
  readonly caller: string
  /** Sent by the platform's gateway, which counts the request itself. */
  readonly isFromGateway: boolean
}

const maxNameLength = 256
const priorityNames = Object.keys(priorities) as Priority[]

interface RequestOptionsContext {
  readonly sessionHeader: string
  /** The calling account, where it is known. */
  readonly account: string | undefined
}

/** Reads the request options. Throws `invalid_input` for an unknown strategy or priority. */
export function readRequestOptions(
  { headers, socket }: IncomingMessage,
  { sessionHeader, account }: RequestOptionsContext,
): RequestOptions {
  const session = shorten(headers[sessionHeader])
  return {
    strategy: readChoice(headers['x-cluster-strategy'], 'X-Cluster-Strategy', strategyNames),
    priority: readChoice(headers['x-priority'], 'X-Priority', priorityNames) ?? 'normal',
    session,
    // An account is always its own caller in the fair queue: it cannot pretend to be several callers or another one.
    caller: account ?? shorten(headers['x-cluster-caller']) ?? socket.remoteAddress ?? 'unknown',
    // Trusted from the API key and from this machine only: an account could use it to hide its requests from the metrics.
    isFromGateway: account === undefined && headers[gatewayHopHeader] !== undefined,
  }
}

function shorten(value: string | string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0]
  return text === undefined || text === '' ? undefined : text.slice(0, maxNameLength)
}

function readChoice<Choice extends string>(
  value: string | string[] | undefined,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined
  const found = choices.find((choice) => choice === value)
  if (found !== undefined) return found
  throw kernelFailure('invalid_input', { message: `${name} must be one of ${choices.join(', ')}` })
}
