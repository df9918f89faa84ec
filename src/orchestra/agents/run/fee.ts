import { randomUUIDv7 } from 'node:crypto'
import { explainModelFailure, type Tally } from '#engine'
import type { ChatRequest, Reservation } from '#models'
import type { Agent } from '../agent.ts'
import { noPrice, priceOf } from '../pricing.ts'

type Settlement = NonNullable<Awaited<ReturnType<Reservation['settle']>>>

export interface FeeOptions {
  /** Writes down what was paid from the money of a day. */
  readonly settle: (settlement: Settlement) => Promise<void>
  /** The tier of an account; undefined when the account is gone. */
  readonly tierOf: (accountId: string) => Promise<string | undefined>
}

/** What the use of an agent costs besides the model. */
export interface Fee {
  /** Takes what the work cost; never more than was set aside. Answers whole micro-dollars. */
  charge(tokens: number): Promise<number>
  /** Nothing was made, so nothing is paid. */
  release(): Promise<void>
}

/** What a provider puts around each message, and what a complaint adds to one. */
const tokensAround = 4096

/**
 * Sets the most a use can cost aside. A token stands for at least one byte, so there are no more of them than bytes; an answer that
 * is asked for again goes back to the model with everything before it.
 */
export async function openFee(
  { settle, tierOf }: FeeOptions,
  tally: Tally,
  { id, version, definition: { pricing = noPrice } }: Agent,
  use: {
    readonly accountId: string
    readonly isBulk: boolean
    /** Undefined when no model is asked. */
    readonly request: ChatRequest | undefined
    /** How often it may be asked. */
    readonly times: number
  },
): Promise<Fee> {
  const { isBulk, request, times } = use
  const isEnterprise = pricing.enterprise_rate !== 1 && (await tierOf(use.accountId)) === 'enterprise'
  const priced = (tokens: number) => priceOf(pricing, { tokens, isBulk, isEnterprise })
  const most = priced(request === undefined || pricing.per_token === 0 ? 0 : mostTokens(request, times))
  if (most === 0) return { charge: async () => 0, release: async () => {} }
  const reservation = await tally.purse
    .reserve(most, {
      callId: randomUUIDv7(),
      source: 'agent',
      provider: 'agent',
      model: id,
      requestedModel: `${id}@${version}`,
      priceSource: 'agent',
      priceVersion: String(version),
      attempts: 1,
    })
    .catch((error: unknown) => {
      throw explainModelFailure(error)
    })

  async function pay(cost: number): Promise<number> {
    const settlement = await reservation.settle(cost)
    if (settlement !== undefined) await settle(settlement)
    return cost
  }

  return {
    charge: (tokens) => pay(Math.min(most, priced(tokens))),
    release: async () => void (await pay(0)),
  }
}

function mostTokens({ call }: ChatRequest, times: number): number {
  const input = call.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  const output = call.maxTokens ?? 0
  // The third time everything of the first two is asked besides.
  return times * (input + tokensAround + times * (output + tokensAround))
}
