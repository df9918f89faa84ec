import type { Static } from 'typebox'
import { dollars, rounded, seconds } from '#runs'
import type { Recommendation } from '../../recommend/recommend.ts'
import { assessRisks } from '../../recommend/risks.ts'
import { successProbability } from '../../recommend/score.ts'
import type { Wishes } from '../../recommend/wishes.ts'
import type { RecommendAnswer } from './answer.ts'

type Comparison = Static<typeof RecommendAnswer>['workflow_comparison']
type Row = Comparison['comparison_matrix'][number]

/** The recommended flows side by side, and which to take for what. */
export function compare(recommendations: readonly Recommendation[], wishes: Wishes): Comparison {
  const rows = recommendations.map(({ candidate, score, confidence }) => {
    const { duration, cost } = candidate.estimate
    const probability = successProbability(candidate)
    return {
      flow_id: candidate.flow.flowId,
      match_score: score.match,
      confidence,
      duration: duration.value === null ? null : seconds(duration.value),
      cost: cost.value === null ? null : dollars(cost.value),
      success_probability: probability === null ? null : rounded(probability),
      quality: candidate.record.quality === null ? null : rounded(candidate.record.quality.mean),
      steps: candidate.flow.definition.steps.length,
      risk_level: assessRisks(candidate, wishes).risk_level,
    }
  })
  return { comparison_matrix: rows, recommendation_summary: summarise(rows) }
}

function summarise(rows: readonly Row[]): string {
  const [best] = rows
  if (best === undefined) return 'No flow suits: excluded_flows tells why each was left out.'
  const said = [`"${best.flow_id}" matches best (${best.match_score}).`]
  const cheapest = least(rows, 'cost')
  const fastest = least(rows, 'duration')
  if (cheapest !== undefined && cheapest.flow_id !== best.flow_id)
    said.push(`"${cheapest.flow_id}" is the cheapest, about $${cheapest.cost}.`)
  if (fastest !== undefined && fastest.flow_id !== best.flow_id)
    said.push(`"${fastest.flow_id}" is the fastest, about ${fastest.duration} s.`)
  return said.join(' ')
}

/** The one that needs clearly less than the best: equals are not worth a word. */
function least(rows: readonly Row[], what: 'cost' | 'duration'): Row | undefined {
  const own = rows[0]?.[what] ?? null
  const known = rows.filter((row) => row[what] !== null)
  const [first] = known.toSorted((left, right) => (left[what] ?? 0) - (right[what] ?? 0))
  return own !== null && (first?.[what] ?? own) < own ? first : undefined
}
