import { randomUUID } from 'node:crypto'
import type { TokenCounts } from './token-counts.ts'

/** Requests and tokens, as they are added or added up. */
export interface TrafficCounts {
  readonly requests: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

/**
 * What passed through the cluster since this process began. Requests of the platform's gateway are left out: the gateway
 * counts them itself. Tokens are counted where the end of a node's answer tells them.
 */
export interface Traffic {
  request(): void
  tokens(counts: TokenCounts): void
  totals(): TrafficCounts
  /** Tells this process from others, and from itself after a restart. */
  readonly instance: string
  /** The platform in this process records the counts itself; a platform elsewhere must not do so again. */
  readonly isRecorded: boolean
}

/** Is told of everything that is added. */
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
