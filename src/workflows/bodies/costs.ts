import type { ExecutionRecord } from '#engine'
import type { Expectation } from './expectation.ts'
import type { Measures } from './measures.ts'
import { describeCostByProvider } from './performance.ts'
import { budgetOf } from './recommendations.ts'
import { dollars } from './units.ts'

export function describeCosts(
  record: ExecutionRecord,
  measures: Measures,
  { finalMicroDollars: final }: Expectation,
) {
  const budget = budgetOf(record)
  return {
    current_cost: dollars(record.spent),
    estimated_total_cost: final === null ? null : dollars(final),
    cost_by_provider: describeCostByProvider(measures),
    budget_remaining: budget === null ? null : dollars(Math.max(0, budget - record.spent - record.reserved)),
  }
}
