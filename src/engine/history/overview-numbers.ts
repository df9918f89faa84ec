/** The sums of a bucket, or of a period. Money in micro-dollars. */
export interface BucketSums {
  readonly executions: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
  readonly spent: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The executions of a flow that ended in the period. */
export interface RankedFlow {
  readonly flowId: string
  readonly executions: number
  readonly completed: number
  readonly failed: number
  /** Of completed executions; null without any. */
  readonly averageMs: number | null
  readonly p95Ms: number | null
}

/** Failed executions of one flow with the same error. */
export interface FailureGroup {
  readonly flowId: string
  readonly errorCode: string
  readonly executions: number
  /** The newest of them; null when it is not visible to the caller, or too old. */
  readonly last: { readonly id: string; readonly at: Date; readonly message: string | null } | null
}

/** What differs between the numbers of all accounts and those of one. */
export interface OverviewNumbers {
  /** Sums by time, over the period and the one before it. */
  readonly series: readonly (BucketSums & { readonly at: Date })[]
  readonly p95Ms: number | null
  /** Attempts of steps after their first. */
  readonly retries: number
  readonly slowest: readonly RankedFlow[]
  readonly failing: readonly RankedFlow[]
  readonly failures: readonly FailureGroup[]
  /** At most 1,000 each. */
  readonly active: { readonly running: number; readonly queued: number; readonly needsApproval: number }
  /** Durations, tokens, retries and failures cover the time from here on. */
  readonly detailsFrom: Date
}

/** Orders flows for the two lists. */
export function rankFlows(flows: readonly RankedFlow[]): Pick<OverviewNumbers, 'slowest' | 'failing'> {
  return {
    slowest: flows
      .filter(({ p95Ms }) => p95Ms !== null)
      .toSorted((one, other) => (other.p95Ms ?? 0) - (one.p95Ms ?? 0)),
    failing: flows
      .filter(({ failed }) => failed > 0)
      .toSorted((one, other) => other.failed - one.failed || one.flowId.localeCompare(other.flowId)),
  }
}
