import { type ExecutionRecord, rulesOf, sendsPrompt } from '#engine'
import { estimates, responses, units } from '#executions-api'
import { budgetOf } from './completed.ts'

interface Situation {
  readonly record: ExecutionRecord
  readonly stats: responses.DerivedStats
  readonly expected: estimates.Expectation
  readonly elapsedMs: number
  readonly budget: number | null
  readonly now: Date
}

interface Rule {
  readonly name: string
  readonly apply: (situation: Situation) => readonly string[]
}

export function predict(
  record: ExecutionRecord,
  stats: responses.DerivedStats,
  expected: estimates.Expectation,
  now: Date,
) {
  const situation: Situation = {
    record,
    stats,
    expected,
    elapsedMs: stats.elapsedMs ?? 0,
    budget: budgetOf(record),
    now,
  }
  const isOver = record.finishedAt !== null
  const tell = (rules: readonly Rule[]) => (isOver ? [] : rules.flatMap(({ apply }) => apply(situation)))
  const { finalMicroDollars, confidence, source } = expected
  return {
    completion_confidence: isOver ? (record.status === 'completed' ? 1 : 0) : confidence,
    estimated_final_cost: units.dollars(finalMicroDollars),
    estimated_from: source,
    potential_issues: tell(issues),
    optimization_opportunities: tell(opportunities),
  }
}

/** Possible problems, each derived from numbers. */
const issues: readonly Rule[] = [
  {
    name: 'late',
    apply: ({ elapsedMs, expected: { durationMs } }) =>
      durationMs !== null && elapsedMs > durationMs * 1.5
        ? [`It has taken ${units.seconds(elapsedMs)} s so far; ${units.seconds(durationMs)} s are usual.`]
        : [],
  },
  {
    name: 'a slow step',
    apply: ({ record: { live }, expected: { stepMs }, now }) =>
      live.flatMap(({ stepId, startedAt }) => {
        const usual = stepMs.get(stepId)
        const took = now.getTime() - startedAt.getTime()
        return usual !== undefined && took > usual * 2
          ? [`"${stepId}" has taken ${units.seconds(took)} s so far; ${units.seconds(usual)} s are usual.`]
          : []
      }),
  },
  {
    name: 'running out of time',
    apply: ({ record, elapsedMs, expected: { remainingMs } }) => {
      const { maxMs } = rulesOf(record.definition, record.input, record.startedAt ?? record.createdAt)
      return remainingMs !== null && elapsedMs + remainingMs > maxMs
        ? [`It may need longer than the ${units.seconds(maxMs)} s it has.`]
        : []
    },
  },
  {
    name: 'running out of money',
    apply: ({ expected: { finalMicroDollars: finalCost }, budget }) =>
      budget !== null && finalCost !== null && finalCost > budget
        ? [`It may cost $${units.dollars(finalCost)}, more than its budget of $${units.dollars(budget)}.`]
        : [],
  },
  {
    name: 'troubled steps',
    apply: ({ stats: { ran } }) =>
      ran.flatMap(({ step, outcome }) =>
        outcome.state === 'failed' ? [`"${step.id}" failed; what depends on it may fail too.`] : [],
      ),
  },
]

/** Changes that would make the execution faster or cheaper. */
const opportunities: readonly Rule[] = [
  {
    name: 'a batch in single file',
    apply: ({ record: { input } }) =>
      input.batch !== undefined && !input.batch.parallel && input.batch.items.length > 1
        ? ['The items run one after the other. With parallel_processing those of a group run side by side.']
        : [],
  },
  {
    name: 'one step that takes most of the time',
    apply: ({ expected: { stepMs } }) => {
      const total = [...stepMs.values()].reduce((sum, ms) => sum + ms, 0)
      const longest = [...stepMs].find(([, ms]) => stepMs.size > 1 && ms > total * 0.6 && ms > 2000)
      return longest === undefined
        ? []
        : [
            `"${longest[0]}" usually takes ${units.seconds(longest[1])} s of ${units.seconds(total)}: a faster model would be felt there.`,
          ]
    },
  },
  {
    name: 'fewer models at once than there is work',
    apply: ({ record }) => {
      const { maxAiCalls } = rulesOf(record.definition, record.input, record.createdAt)
      const asking = record.definition.steps.filter((step) => sendsPrompt(step)).length
      return maxAiCalls === 1 && asking > 1
        ? ['Models are asked one at a time: max_concurrent_ai_calls is 1.']
        : []
    },
  },
]
