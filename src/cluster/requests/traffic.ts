import { randomUUID } from 'node:crypto'
import type { TokenCounts } from './token-counts.ts'

/** Numbers of requests and tokens. */
export interface TrafficCounts {
  readonly requests: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

/**
 * The traffic of the cluster since the start of this process. Requests of the platform's gateway are left out: the gateway
 * counts them itself. Tokens are counted if the end of a response has them.
 */
export interface Traffic {
  request(): void
  tokens(counts: TokenCounts): void
  totals(): TrafficCounts
  /** Identifies this process; a restart gets a new id. */
  readonly instance: string
  /** The platform in this process records the counts itself; a platform elsewhere must not do so again. */
  readonly isRecorded: boolean
}

/** Receives all additions. */
export type OnTraffic = (added: TrafficCounts) => void

export function createTraffic(onTraffic: OnTraffic | undefined): Traffic {
  let [requests, prompt, completion] = [0, 0, 0]
  return {
    instance: randomUUID(),
    isRecorded: onTraffic !== undefined,
    request() {
      requests += 1
      onTraffic?.({ requests: 1, prompt_tokens: 0, completion_tokens: 0 })
    },
    tokens(counts) {
      prompt += counts.prompt
      completion += counts.completion
      onTraffic?.({ requests: 0, prompt_tokens: counts.prompt, completion_tokens: counts.completion })
    },
    totals: () => ({ requests, prompt_tokens: prompt, completion_tokens: completion }),
  }
}
