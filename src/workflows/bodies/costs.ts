import type { ExecutionRecord } from '#engine'
import { dollars, type Expectation, type Measures } from '#runs'
import { describeCostByProvider } from './performance.ts'
import { budgetOf } from './recommendations.ts'

export function describeCosts(
  record: ExecutionRecord,
  measures: Measures,
  { finalMicroDollars: final }: Expectation,
) {
  const budget = budgetOf(record)
  return {
    current_cost: dollars(record.spent),
    unpriced: measures.unpriced,
    estimated_total_cost: final === null ? null : dollars(final),
    cost_by_provider: describeCostByProvider(measures),
    budget_remaining: budget === null ? null : dollars(Math.max(0, budget - record.spent - record.reserved)),
  }
}
