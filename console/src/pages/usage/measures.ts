import { describeDollars, describeRoughly } from '../../parts/describe-amount.ts'
import type { UsageTotals } from './usage-bodies.ts'
import type { Measure } from './usage-search.ts'

interface AboutMeasure {
  readonly title: string
  readonly valueOf: (totals: UsageTotals) => number
  readonly describe: (value: number) => string
  readonly describeAxis: (value: number) => string
}

const count = (value: number) => value.toLocaleString()

/** What usage can be measured by. */
export const measures: Readonly<Record<Measure, AboutMeasure>> = {
  cost: {
    title: 'Cost',
    valueOf: ({ micro_dollars }) => micro_dollars,
    describe: describeDollars,
    describeAxis: describeDollars,
  },
  tokens: {
    title: 'Tokens',
    valueOf: ({ input_tokens, output_tokens }) => input_tokens + output_tokens,
    describe: (value) => `${count(value)} tokens`,
    describeAxis: describeRoughly,
  },
  calls: {
    title: 'Calls',
    valueOf: ({ calls }) => calls,
    describe: (value) => `${count(value)} ${value === 1 ? 'call' : 'calls'}`,
    describeAxis: describeRoughly,
  },
}

/** What says most where nobody chose: money, if any was spent. */
export function usualMeasure({ micro_dollars }: UsageTotals): Measure {
  return micro_dollars > 0 ? 'cost' : 'calls'
}
