import type { IncomingMessage } from 'node:http'
import { kernelFailure } from '#kernel/errors'
import { type StrategyName, strategyNames } from '../balancing/strategies.ts'
import { gatewayHopHeader } from '../client/route.ts'
import { type Priority, priorities } from '../queue/fair-queue.ts'

/** What a caller says about its request in headers, so that the body can pass as it is. */
export interface CallerWish {
  readonly strategy: StrategyName | undefined
  readonly priority: Priority
  readonly session: string | undefined
  readonly caller: string
  /** Sent by the platform's gateway, which counts it itself. */
  readonly isFromGateway: boolean
}

const longestName = 256
const priorityNames = Object.keys(priorities) as Priority[]

interface WishContext {
  readonly sessionHeader: string
  /** The account that asks, where it is known. */
  readonly account: string | undefined
}

/** Reads the headers for this service. Throws what the caller should read when one of them is wrong. */
export function readWish(
  { headers, socket }: IncomingMessage,
  { sessionHeader, account }: WishContext,
): CallerWish {
  const session = shorten(headers[sessionHeader])
  return {
    strategy: readChoice(headers['x-cluster-strategy'], 'X-Cluster-Strategy', strategyNames),
    priority: readChoice(headers['x-priority'], 'X-Priority', priorityNames) ?? 'normal',
    session,
    // Who has an account is that account: in turns with others, nobody is several, or somebody else.
    caller: account ?? shorten(headers['x-cluster-caller']) ?? socket.remoteAddress ?? 'unknown',
    // Believed of the key and of this machine: an account could keep its requests out of the metrics.
    isFromGateway: account === undefined && headers[gatewayHopHeader] !== undefined,
  }
}

function shorten(value: string | string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0]
  return text === undefined || text === '' ? undefined : text.slice(0, longestName)
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
