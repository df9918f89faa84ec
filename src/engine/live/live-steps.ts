import type { StepPhase } from '../steps/step-run.ts'
import type { LiveMessage } from './messages.ts'

/** A step that runs, as far as it was heard of. */
export interface LiveStep {
  readonly stepId: string
  readonly item: number
  readonly startedAt: Date
  readonly phase: StepPhase | null
  /** The end of what its model has said so far. */
  readonly text: string
}

interface LiveSteps {
  take(message: LiveMessage): void
  of(executionId: string): readonly LiveStep[]
}

const mostExecutions = 1000
const mostTextLength = 4000

/** Remembers the latest of the executions that were heard of last. A step that ended stays until others push its execution out. */
export function createLiveSteps(): LiveSteps {
  const executions = new Map<string, Map<string, LiveStep>>()

  function stepsOf(executionId: string): Map<string, LiveStep> {
    const known = executions.get(executionId) ?? new Map<string, LiveStep>()
    // Last heard of stands last.
    executions.delete(executionId)
    executions.set(executionId, known)
    const [oldest] = executions.keys()
    if (executions.size > mostExecutions && oldest !== undefined) executions.delete(oldest)
    return known
  }

  return {
    take(message) {
      if (message.kind === 'advanced') return
      const { executionId, item, stepId } = message
      const name = `${item} ${stepId}`
      const steps = stepsOf(executionId)
      const before = message.kind === 'begun' ? undefined : steps.get(name)
      steps.set(name, {
        stepId,
        item,
        startedAt: before?.startedAt ?? new Date(),
        phase: message.kind === 'phase' ? message.phase : (before?.phase ?? null),
        text:
          message.kind === 'token'
            ? `${before?.text ?? ''}${message.text}`.slice(-mostTextLength)
            : (before?.text ?? ''),
      })
    },
    of: (executionId) => [...(executions.get(executionId)?.values() ?? [])],
  }
}
