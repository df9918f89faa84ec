import { itemsTemplate } from '../../definition/kinds/for-each.ts'
import { childrenOf, type ForEachStep } from '../../definition/step-types.ts'
import { microDollars } from '../../definition/values.ts'
import { fillValue, reportMissing } from '../../expressions/templates.ts'
import type { Graph } from '../../graph/graph.ts'
import { StepFailure } from '../../steps/step-failure.ts'
import { type ContainerDriver, failureOfScope, type ScopeResult } from './container.ts'
import { graphWith, valueSteps } from './generated-steps.ts'

interface ForEachRecord {
  readonly items: readonly unknown[]
}

const defaults = { concurrency: 5, maxItems: 1000 } as const

/**
 * Runs its steps for every item of a list.
 *
 * | an item | on                                        | next                                                                    |
 * |---------|-------------------------------------------|-------------------------------------------------------------------------|
 * | waiting | fewer than `concurrency` are open         | open; items open in their order                                         |
 * | open    | its steps have ended                      | succeeded, its result is kept                                           |
 * | open    | a step aborts it, or its budget is spent  | failed; with `fail`, the open items are aborted and the container fails |
 * | open    | a limit of the execution is reached       | the execution fails                                                     |
 */
export const forEachDriver: ContainerDriver<ForEachStep> = {
  async open(run) {
    const { step, scope } = run
    const { value, missing } = fillValue(itemsTemplate(step), scope)
    reportMissing(run, missing)
    return { items: requireItems(value, step) }
  },

  variables: ({ as = 'item' }, record, index) => ({ [as]: (record as ForEachRecord).items[index], index }),

  graphOf(step) {
    const known = graphs.get(step)
    if (known !== undefined) return known
    const last = valueSteps(step.result)
    if (last.length === 0) return undefined
    const graph = graphWith(childrenOf(step), { last })
    graphs.set(step, graph)
    return graph
  },

  start(step, record) {
    const { items } = record as ForEachRecord
    const { concurrency = defaults.concurrency, on_item_error: onError = 'fail' } = step
    const keepsResults = step.keep_results !== false
    const budget = step.item_budget === undefined ? undefined : microDollars(step.item_budget)
    /** Items before it are open or have ended. */
    let cursor = 0

    return {
      total: items.length,
      needsResultsAtEnd: true,
      result: { isKept: keepsResults, template: step.result },
      next({ open, ended, failed }) {
        if (failed !== undefined && onError === 'fail') {
          const name = `Item ${failed.index} of ${items.length}`
          return { kind: 'failed', failure: failureOfScope(failed, name) }
        }
        if (ended.size === items.length) {
          return { kind: 'completed', output: outputOf(ended, items.length, keepsResults) }
        }
        while (open.has(cursor) || ended.has(cursor)) cursor += 1
        if (open.size >= concurrency || cursor >= items.length) return { kind: 'wait' }
        return {
          kind: 'open',
          scope: {
            index: cursor,
            memory: forEachDriver.variables(step, record, cursor),
            budget,
            graph: forEachDriver.graphOf?.(step, cursor),
          },
        }
      },
    }
  },
}

/** By container step: the graphs with steps that evaluate the expressions in `result`. */
const graphs = new WeakMap<ForEachStep, Graph>()

function requireItems(value: unknown, { items, max_items: max = defaults.maxItems }: ForEachStep): unknown[] {
  if (!Array.isArray(value)) {
    throw new StepFailure({
      code: 'INVALID_STEP',
      message: `The items of the step are not a list: ${items} is ${describeType(value)}.`,
      details: { items, type: describeType(value) },
    })
  }
  if (value.length > max) {
    throw new StepFailure({
      code: 'INVALID_STEP',
      message: `The list has ${value.length} items, and max_items is ${max}. Raise max_items, or shorten the list.`,
      details: { items: value.length, max_items: max },
    })
  }
  return value
}

function describeType(value: unknown): string {
  if (value === undefined || value === '') return 'empty'
  return value === null ? 'null' : `a value of type ${typeof value}`
}

function outputOf(ended: ReadonlyMap<number, ScopeResult>, total: number, keepsResults: boolean) {
  const inOrder = Array.from({ length: total }, (_, index) => ended.get(index))
  const errors = inOrder.flatMap((scope, index) => {
    if (scope === undefined || scope.error === null) return []
    return [{ index, code: scope.error.code, message: scope.error.message }]
  })
  return {
    results: keepsResults ? inOrder.map((scope) => scope?.result ?? null) : [],
    errors,
    succeeded: total - errors.length,
    failed: errors.length,
  }
}
