import type { Step } from '../../definition/step-types.ts'
import type { Evaluated } from '../../expressions/evaluate.ts'
import type { Scope } from '../../expressions/paths.ts'
import { expressionsIn } from '../../expressions/templates.ts'
import { type Graph, readGraph } from '../../graph/graph.ts'

/** Steps that the engine adds to those of a container. Their failure ends the scope, whatever the flow says of failures. */
interface AddedSteps {
  /** Runs before all others. */
  readonly first?: Step | undefined
  /** Run when all others have ended. */
  readonly last: readonly Step[]
}

const endsScope = { error_handling: { on_failure: 'abort' } } as const

/** The graph of a scope with added steps. */
export function graphWith(steps: readonly Step[], { first, last }: AddedSteps): Graph {
  const entries = readGraph(steps).nodes.filter(({ after }) => after.size === 0)
  const isEntry = new Set(entries.map(({ id }) => id))
  const dependencies = steps.map(({ id }) => id)
  return readGraph([
    ...(first === undefined ? [] : [{ ...first, ...endsScope }]),
    ...steps.map((step) =>
      first !== undefined && isEntry.has(step.id) ? { ...step, dependencies: [first.id] } : step,
    ),
    ...last.map((step) => ({ ...step, ...endsScope, dependencies })),
  ])
}

/**
 * Steps that evaluate the expressions in the result of a scope. A scope ends at once, without waiting for a thread; a step may wait, and its
 * outcome is stored.
 */
export function valueSteps(template: unknown): Step[] {
  return expressionsIn(template).map((expression, index) => ({
    id: `$value_${index}`,
    type: 'data_transform',
    transformations: [{ operation: 'expression', expression }],
  }))
}

/** The scope with the values of the expressions in its result, from the steps of `valueSteps`. */
export function withValues(template: unknown, scope: Scope): Scope {
  const sources = expressionsIn(template)
  if (sources.length === 0) return scope
  const evaluated = new Map(
    sources.map((source, index): [string, Evaluated] => [
      source,
      { kind: 'value', value: scope.steps[`$value_${index}`] ?? null },
    ]),
  )
  return { ...scope, evaluated }
}
