import { childrenOf, type RepeatUntilStep, type Step } from '../../definition/step-types.ts'
import { describeTest } from '../../expressions/conditions.ts'
import type { Graph } from '../../graph/graph.ts'
import { StepFailure } from '../../steps/step-failure.ts'
import { type ContainerDriver, failureOfScope } from './container.ts'
import { graphWith, valueSteps } from './generated-steps.ts'

/** The stored end of an iteration. */
interface Iteration {
  readonly result: unknown
  /** Whether the condition was true after it. */
  readonly met: boolean
}

/**
 * Runs its steps again until a condition is true, one iteration after the other. From the second on, the step `$delay` waits before them;
 * the step `$until` evaluates the condition when they have ended.
 *
 * | an iteration | on                                        | then                                                                 |
 * |--------------|-------------------------------------------|----------------------------------------------------------------------|
 * | open         | its steps end, and the condition is true  | the container is completed with its result                           |
 * | open         | its steps end, and the condition is false | the next one opens, with its result as `previous`                    |
 * | the last     | its steps end, and the condition is false | the container fails with LOOP_EXHAUSTED, or is completed: `on_exhausted` |
 * | open         | a step aborts it                          | the container fails                                                  |
 */
export const repeatUntilDriver: ContainerDriver<RepeatUntilStep> = {
  open: async () => ({}),

  variables(_step, _record, index, before) {
    if (before === undefined) return { index }
    return { index, previous: (before as Iteration).result }
  },

  graphOf(step, index) {
    const known = graphs.get(step) ?? {}
    graphs.set(step, known)
    return index === 0
      ? (known.first ??= readIteration(step))
      : (known.later ??= readIteration(step, step.delay))
  },

  start(step, record) {
    const { max_iterations: total } = step
    return {
      total,
      keepsLast: true,
      result: {
        isKept: true,
        template: step.result,
        wrap: (result, outputs): Iteration => ({ result, met: isMet(outputs['$until']) }),
      },
      next({ open, ended, failed }) {
        if (failed !== undefined) {
          const name = `Iteration ${failed.index + 1} of at most ${total}`
          return { kind: 'failed', failure: failureOfScope(failed, name) }
        }
        if (open.size > 0) return { kind: 'wait' }
        const index = ended.size
        const last = ended.get(index - 1)?.result as Iteration | undefined
        if (last !== undefined && (last.met || index >= total)) {
          if (!last.met && step.on_exhausted !== 'continue')
            return { kind: 'failed', failure: exhausted(step, index) }
          return { kind: 'completed', output: { result: last.result, iterations: index, met: last.met } }
        }
        const memory = repeatUntilDriver.variables(step, record, index, last)
        return { kind: 'open', scope: { index, memory, graph: repeatUntilDriver.graphOf?.(step, index) } }
      },
    }
  },
}

/** By container step: a loop in a loop opens many times. */
const graphs = new WeakMap<RepeatUntilStep, { first?: Graph; later?: Graph }>()

function readIteration(step: RepeatUntilStep, delay?: RepeatUntilStep['delay']): Graph {
  const until: Step = {
    id: '$until',
    type: 'conditional',
    conditions: [{ ...step.until, action: { type: 'continue' } }],
  }
  return graphWith(childrenOf(step), {
    first: delay === undefined ? undefined : { id: '$delay', type: 'wait', duration: delay },
    last: [...valueSteps(step.result), until],
  })
}

/** The output of a conditional step names the condition that was true. */
function isMet(output: unknown): boolean {
  return (output as { readonly condition: number | null } | undefined)?.condition === 0
}

function exhausted({ until, max_iterations }: RepeatUntilStep, iterations: number): StepFailure {
  return new StepFailure({
    code: 'LOOP_EXHAUSTED',
    message: `The condition was not true after ${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}: ${describeTest(until).slice(0, 200)}. Raise max_iterations, or set on_exhausted to continue.`,
    details: { iterations, max_iterations },
  })
}
