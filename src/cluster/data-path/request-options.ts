import { kernelFailure } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import { type StrategyName, strategyNames } from '../balancing/strategies.ts'
import { accountOf } from '../callers/callers.ts'
import { callerHeader, continueHeader, gatewayHopHeader } from '../client/route.ts'
import { type Priority, priorities } from '../queue/fair-queue.ts'
import type { DataRequest } from './data-exchange.ts'

/** The options of a request, sent in headers so that the body passes unchanged. */
export interface RequestOptions {
  readonly strategy: StrategyName | undefined
  readonly priority: Priority
  readonly session: string | undefined
  /** Whether another node may continue the stream; undefined where the caller leaves it to the setting. */
  readonly mayContinue: boolean | undefined
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
  /** Whether the caller may go before others. */
  readonly mayPrioritise: boolean
}

const priorityPermission = 'administer cluster'

/** The options that depend on the caller. The key of the service and callers of an open service are the operator's own. */
export function callerOptionsOf(
  principal: Principal,
): Pick<RequestOptionsContext, 'account' | 'mayPrioritise'> {
  const account = accountOf(principal)
  return { account, mayPrioritise: account === undefined || principal.permissions.has(priorityPermission) }
}

/** Reads the request options. Throws `invalid_input` for an unknown strategy or priority, `permission_denied` for a priority above normal. */
export function readRequestOptions(
  { headers, remoteAddress }: Pick<DataRequest, 'headers' | 'remoteAddress'>,
  { sessionHeader, account, mayPrioritise }: RequestOptionsContext,
): RequestOptions {
  const session = shorten(headers[sessionHeader])
  const priority = readChoice(headers['x-priority'], 'X-Priority', priorityNames) ?? 'normal'
  if (!mayPrioritise && priorities[priority] > priorities.normal) {
    throw kernelFailure('permission_denied', {
      message: `X-Priority: ${priority} needs the permission "${priorityPermission}"; use normal or low`,
      details: { permission: [priorityPermission] },
    })
  }
  return {
    strategy: readChoice(headers['x-cluster-strategy'], 'X-Cluster-Strategy', strategyNames),
    priority,
    session,
    mayContinue: readFlag(headers[continueHeader]),
    // An account is always its own caller in the fair queue: it cannot pretend to be several callers or another one.
    caller: account ?? shorten(headers[callerHeader]) ?? remoteAddress ?? 'unknown',
    // Trusted from the API key and from this machine only: an account could use it to hide its requests from the metrics.
    isFromGateway: account === undefined && headers[gatewayHopHeader] !== undefined,
  }
}

function shorten(value: string | string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0]
  return text === undefined || text === '' ? undefined : text.slice(0, maxNameLength)
}

function readFlag(value: string | string[] | undefined): boolean | undefined {
  const choice = readChoice(value, 'X-Cluster-Continue', ['true', 'false'])
  return choice === undefined ? undefined : choice === 'true'
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
