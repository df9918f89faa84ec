import { costFactor, middleOf, priorityWeights, qualityFactor, rounded, speedFactor, weigh } from '#runs'
import { recordOf, successFactor } from '../../recommend/record.ts'
import type { AgentRuns } from './runs.ts'

const { success, quality, cost, speed } = priorityWeights.balanced

const scoringCriteria = [
  `success, weight ${success}: (completed + 1) / (runs + 2)`,
  `quality, weight ${quality}: the average of texts that were measured, as a share of 100`,
  `cost, weight ${cost}: 1 / (1 + cost / the middle of all agents)`,
  `speed, weight ${speed}: 1 / (1 + time / the middle of all agents)`,
  'what is not known does not count',
]

/** How well each agent has done by itself, from 0 to 1, whatever it may be wanted for; null when it did nothing. */
export function scoreAgents(agents: readonly AgentRuns[]) {
  const records = agents.map(({ id, sums }) => ({ id, record: recordOf(sums) }))
  const usualCost = middleOf(records.map(({ record }) => record.averageMicroDollars))
  const usualMs = middleOf(records.map(({ record }) => record.medianMs))
  const scores = records.map(({ id, record }) => {
    const score = weigh([
      { ...successFactor(record, 'medium'), weight: success },
      { ...qualityFactor(record.quality, undefined), weight: quality },
      { ...costFactor(record.averageMicroDollars, usualCost), weight: cost },
      { ...speedFactor(record.medianMs, usualMs), weight: speed },
    ])
    return [id, score === null ? null : rounded(score)] as const
  })
  return { ...Object.fromEntries(scores), scoring_criteria: scoringCriteria }
}
