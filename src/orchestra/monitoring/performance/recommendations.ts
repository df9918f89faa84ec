import { rounded } from '../numbers.ts'
import { utilisationOf } from './describe.ts'
import type { PerformanceFigures } from './figures.ts'

export interface Recommendation {
  readonly type: string
  readonly priority: 'low' | 'medium' | 'high'
  readonly description: string
  readonly estimated_benefit: string
}

/** Fewer requests say nothing. */
const enough = 50

/**
 * What follows from the numbers, the most urgent first.
 *
 * | type              | holds when                                                               |
 * |-------------------|--------------------------------------------------------------------------|
 * | errors            | 1 % of the requests failed by our own fault; urgent from 5 %             |
 * | providers         | 1 % of the requests failed because of a provider; urgent from 5 %        |
 * | timeouts          | 1 % of the requests ran out of time; urgent from 5 %                     |
 * | response_time     | one of twenty requests takes a second, and five times the middle one     |
 * | processors        | the processors are 75 % busy on the average; urgent from 90 %            |
 * | memory            | 80 % of the memory is in use on the average; urgent from 90 %            |
 * | capacity          | 75 % of what workers can run at once runs on the average; urgent from 90 % |
 */
export function recommend(figures: PerformanceFigures): readonly Recommendation[] {
  const order = ['high', 'medium', 'low']
  return rules
    .flatMap((rule) => rule(figures))
    .toSorted((one, other) => order.indexOf(one.priority) - order.indexOf(other.priority))
}

const urgency = (value: number, urgent: number) => (value >= urgent ? 'high' : 'medium')

/** What share of requests went wrong in one way, if it is worth a word. */
function errorRule(
  type: string,
  kind: 'failed' | 'provider_failed' | 'timed_out',
  advice: string,
): (figures: PerformanceFigures) => readonly Recommendation[] {
  return ({ current: { requests } }) => {
    const failed = requests.kinds[kind]
    const percent = requests.count < enough ? 0 : (failed / requests.count) * 100
    if (percent < 1) return []
    return [
      {
        type,
        priority: urgency(percent, 5),
        description: `${rounded(percent)} % of ${requests.count} requests failed. ${advice}`,
        estimated_benefit: `Up to ${failed} failed requests fewer in such a time.`,
      },
    ]
  }
}

function usageRule(
  type: string,
  { from, urgent, what, advice }: { from: number; urgent: number; what: string; advice: string },
  valueOf: (figures: PerformanceFigures) => number | null,
): (figures: PerformanceFigures) => readonly Recommendation[] {
  return (figures) => {
    const value = valueOf(figures)
    if (value === null || value < from) return []
    return [
      {
        type,
        priority: urgency(value, urgent),
        description: `${what} ${rounded(value, 1)} % on the average. ${advice}`,
        estimated_benefit: `With twice as much of it, it would be about ${rounded(value / 2, 1)} %.`,
      },
    ]
  }
}

const rules: readonly ((figures: PerformanceFigures) => readonly Recommendation[])[] = [
  errorRule('errors', 'failed', 'Look for the errors in the log; each has the id of its request.'),
  errorRule(
    'providers',
    'provider_failed',
    'Allow a fallback to other providers, and check the status of each.',
  ),
  errorRule('timeouts', 'timed_out', 'Run long workflows with options.async, or give them more time.'),
  ({ current }) => {
    const [middle, high] = [current.durationAt(0.5), current.durationAt(0.95)]
    if (middle === null || high === null || current.requests.timed < enough) return []
    if (high < 1000 || high < 5 * middle) return []
    return [
      {
        type: 'response_time',
        priority: 'medium',
        description: `One of twenty requests takes ${rounded(high / 1000)} s or more, the middle one ${rounded(middle / 1000, 3)} s. Run what takes long with options.async.`,
        estimated_benefit: `Up to ${rounded((high - middle) / 1000)} s less for ${Math.ceil(current.requests.timed / 20)} requests.`,
      },
    ]
  },
  usageRule(
    'processors',
    { from: 75, urgent: 90, what: 'The processors are busy', advice: 'Add a process on another machine.' },
    ({ current }) => current.average('cpu_percent'),
  ),
  usageRule(
    'memory',
    {
      from: 80,
      urgent: 90,
      what: 'The memory is in use',
      advice: 'Give the machine more, or lower MODEL_CACHE_SIZE.',
    },
    ({ current }) => current.average('memory_percent'),
  ),
  usageRule(
    'capacity',
    {
      from: 75,
      urgent: 90,
      what: 'What workers can run at once is in use',
      advice: 'Add a worker, or raise TUTTI_EXECUTION_CONCURRENCY.',
    },
    ({ current }) => utilisationOf(current),
  ),
]
