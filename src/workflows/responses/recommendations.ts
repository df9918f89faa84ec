import { type ExecutionRecord, rulesOf } from '#engine'
import { type responses, units } from '#executions-api'

interface Rule {
  readonly name: string
  /** What to say, once for each case it applies to. */
  readonly apply: (stats: responses.DerivedStats, record: ExecutionRecord) => readonly string[]
}

/** A step that took more than this share of all the time is worth a look. */
const dominatingShare = 0.6
/** Below this duration, a faster step saves little. */
const worthSavingMs = 2000

/** Recommendations from the numbers of an execution; empty without a case. */
const rules: readonly Rule[] = [
  {
    name: 'steps that took several tries',
    apply: ({ ran }) =>
      ran.flatMap(({ step, outcome }) =>
        outcome.attempts > 1 && outcome.state === 'completed'
          ? [`"${step.id}" needed ${outcome.attempts} attempts. Look at why the first did not succeed.`]
          : [],
      ),
  },
  {
    name: 'steps that failed and were passed over',
    apply: ({ ran }) =>
      ran.flatMap(({ step, outcome, details }) =>
        outcome.state === 'failed' && details.aborted !== true
          ? [`"${step.id}" failed and the flow went on without it: ${outcome.error?.message ?? ''}`]
          : [],
      ),
  },
  {
    name: 'fallback messages',
    apply: ({ ran }) =>
      ran.flatMap(({ step, details }) =>
        details['used_fallback'] === true
          ? [`"${step.id}" ended with its fallback message, not with a result.`]
          : [],
      ),
  },
  {
    name: 'one step that takes most of the time',
    apply: ({ ran, elapsedMs }) =>
      ran.flatMap(({ step, ms }) =>
        ran.length > 1 && ms > worthSavingMs && ms > (elapsedMs ?? 0) * dominatingShare
          ? [
              `"${step.id}" took ${units.seconds(ms)} of ${units.seconds(elapsedMs ?? 0)} seconds: a faster model or a shorter prompt would be felt here.`,
            ]
          : [],
      ),
  },
  {
    name: 'models without a price',
    apply: ({ ran }) => {
      const unpriced = new Set(
        ran.flatMap(({ outcome, details }) => (outcome.spent === null ? [details.usage.model] : [])),
      )
      return [...unpriced].map(
        (model) =>
          `"${model ?? 'a model'}" has no price, so its cost is not counted. Set one under /api/v1/prices.`,
      )
    },
  },
  {
    name: 'budgets that were nearly used up',
    apply: (_measures, record) => {
      const budget = budgetOf(record)
      return budget !== null && record.spent > budget * 0.8
        ? [
            'More than 80 % of the budget was used. Raise it, or choose a cheaper model, before the input grows.',
          ]
        : []
    },
  },
  {
    name: 'missing values',
    apply: (_measures, { events }) =>
      events.flatMap(({ type, data }) =>
        type === 'log' &&
        data['level'] === 'warning' &&
        Array.isArray((data['details'] as { missing?: unknown })?.missing)
          ? [
              `"${String(data['step'])}" refers to something the context does not have. ${String(data['message'])}`,
            ]
          : [],
      ),
  },
]

export function recommend(stats: responses.DerivedStats, record: ExecutionRecord): string[] {
  return [...new Set(rules.flatMap(({ apply }) => apply(stats, record)))]
}

/** Whole micro-dollars an execution may cost; null: only the account's day sets a limit. */
export function budgetOf({ definition, input, createdAt }: ExecutionRecord): number | null {
  return rulesOf(definition, input, createdAt).budget
}
