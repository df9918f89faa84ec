import type { Step } from '../definition/step-types.ts'
import type { OutcomeDetails } from '../execution/facts.ts'
import { readGraph } from '../graph/graph.ts'
import { noUsage } from '../steps/step-run.ts'
import type { StepOutcome } from '../store/commit.ts'
import { endedWith } from './recovery-options.ts'

interface Reuse {
  readonly steps: readonly Step[]
  readonly outcomes: readonly StepOutcome[]
  /** The execution the outcomes belong to. */
  readonly from: string
  /** What runs again begins here. */
  readonly fromStep: string
  /** What is to stand in the memory, whoever wrote it there before. */
  readonly memory: Readonly<Record<string, unknown>>
}

/**
 * What a fork takes over: everything that was settled, but for the chosen step and what comes after it. A memory somebody edited
 * takes the place of what the last step to write it had made. What is taken over costs nothing again.
 */
export function reuseOutcomes({ steps, outcomes, from, fromStep, memory }: Reuse): StepOutcome[] {
  const again = new Set([fromStep, ...readGraph(steps).downstream(fromStep)])
  const settled = outcomes.filter((outcome) => !again.has(outcome.stepId) && !endedWith(outcome))
  const keyOf = new Map(steps.map(({ id, output_to_memory }) => [id, output_to_memory]))
  const lastWriter = new Map<string, StepOutcome>()
  for (const outcome of settled) {
    const key = outcome.state === 'completed' ? keyOf.get(outcome.stepId) : undefined
    if (key !== undefined) lastWriter.set(`${outcome.item} ${key}`, outcome)
  }
  return settled.map((outcome, index) => {
    const { item, stepId, state, output, details } = outcome
    const key = keyOf.get(stepId)
    const isEdited =
      key !== undefined && Object.hasOwn(memory, key) && lastWriter.get(`${item} ${key}`) === outcome
    return {
      ...outcome,
      seq: index + 1,
      attempts: 0,
      startedAt: null,
      spent: 0,
      output: isEdited ? memory[key] : output,
      details: {
        ...details,
        ...(state !== 'skipped' && { usage: usageOf(details), cpu_ms: 0 }),
        reused_from: from,
        ...(isEdited && { edited: true }),
      },
    }
  })
}

/** Who made it is still true; what it took was counted where it was made. */
function usageOf(details: StepOutcome['details']): OutcomeDetails['usage'] {
  const { usage } = details as Partial<OutcomeDetails>
  return { ...noUsage, provider: usage?.provider ?? null, model: usage?.model ?? null }
}
