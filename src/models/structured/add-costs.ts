import type { CallCost } from '../gateway/contract.ts'

/** What several calls took together. What is not known of one of them is not known of all. */
export function addCosts(costs: readonly CallCost[]): CallCost {
  const sum = (pick: (cost: CallCost) => number | null): number | null =>
    costs.reduce<number | null>((total, cost) => {
      const part = pick(cost)
      return total === null || part === null ? null : total + part
    }, 0)
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedInputTokens: sum(({ cachedInputTokens }) => cachedInputTokens ?? 0),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    microDollars: sum(({ microDollars }) => microDollars),
    latencyMs: sum(({ latencyMs }) => latencyMs) ?? 0,
    firstTokenMs: costs[0]?.firstTokenMs ?? null,
  }
}
