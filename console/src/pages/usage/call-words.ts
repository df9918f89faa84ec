import { describeDollars } from '../../parts/describe-amount.ts'
import type { Tone } from '../../parts/Status.tsx'
import type { Call, Outcome, UsageTotals } from './usage-queries.ts'

const outcomes: Readonly<Record<Outcome, { tone: Tone; word: string }>> = {
  answered: { tone: 'good', word: 'Completed' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'idle', word: 'Stopped' },
  lost: { tone: 'warn', word: 'Lost' },
}

export const outcomeChoices = Object.entries(outcomes).map(([value, { word }]) => ({ value, label: word }))

export function readOutcome(text: string): Outcome | undefined {
  return Object.hasOwn(outcomes, text) ? (text as Outcome) : undefined
}

/** The display name of a call's outcome. */
export function describeOutcome(text: string): { tone: Tone; word: string } {
  const outcome = readOutcome(text)
  return outcome === undefined ? { tone: 'idle', word: text } : outcomes[outcome]
}

/** The cost of a call, in short. An unknown cost is never shown as free. */
export function describeCallCost({
  micro_dollars,
  unpriced,
}: Pick<Call, 'micro_dollars' | 'unpriced'>): string {
  return unpriced ? 'price unknown' : describeDollars(micro_dollars)
}

/** The known total cost of calls. */
export function describeTotalCost({
  calls,
  unpriced_calls,
  micro_dollars,
}: Pick<UsageTotals, 'calls' | 'unpriced_calls' | 'micro_dollars'>): string {
  return calls > 0 && unpriced_calls === calls ? 'price unknown' : describeDollars(micro_dollars)
}

/** The number of calls whose cost is missing in a sum; undefined when there are none. */
export function describeUnpriced({
  calls,
  unpriced_calls: unpriced,
}: Pick<UsageTotals, 'calls' | 'unpriced_calls'>): string | undefined {
  if (unpriced === 0) return undefined
  if (unpriced === calls) return 'all prices unknown'
  return `price unknown for ${unpriced.toLocaleString()} ${unpriced === 1 ? 'call' : 'calls'}`
}

/** The rounded mean; undefined without values. */
export function meanOf(sum: number, count: number): number | undefined {
  return count > 0 ? Math.round(sum / count) : undefined
}
