import type { WatchedStep } from '../execution/held-execution.ts'
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
  has(executionId: string, step?: WatchedStep): boolean
  of(executionId: string): readonly LiveStep[]
}

interface LiveStepsOptions {
  readonly maxSteps?: number
  readonly maxCharacters?: number
}

const maxTextLength = 4000

/**
 * Remembers the steps under way that were heard of, in all executions, until their outcome is stored or their execution leaves its
 * worker. Messages can be lost, so both bounds hold besides: the step that was heard of longest ago is forgotten first.
 */
export function createLiveSteps({
  maxSteps = 5000,
  maxCharacters = 4 * 1024 * 1024,
}: LiveStepsOptions = {}): LiveSteps {
  const executions = new Map<string, Map<string, LiveStep>>()
  /** The execution of each step, in the order they were last heard of. */
  const order = new Map<string, { readonly executionId: string; readonly name: string }>()
  let characters = 0

  function forget(executionId: string, name: string): void {
    const steps = executions.get(executionId)
    const step = steps?.get(name)
    if (steps === undefined || step === undefined) return
    characters -= step.text.length
    steps.delete(name)
    if (steps.size === 0) executions.delete(executionId)
    order.delete(`${executionId} ${name}`)
  }

  function remember(executionId: string, step: LiveStep): void {
    const name = nameOf(step)
    forget(executionId, name)
    const steps = executions.get(executionId) ?? new Map<string, LiveStep>()
    executions.set(executionId, steps.set(name, step))
    order.set(`${executionId} ${name}`, { executionId, name })
    characters += step.text.length
    for (const oldest of order.values()) {
      if (order.size <= maxSteps && characters <= maxCharacters) break
      forget(oldest.executionId, oldest.name)
    }
  }

  return {
    take(message) {
      const { executionId } = message
      if (message.kind === 'advanced') {
        for (const step of message.ended ?? []) forget(executionId, nameOf(step))
        if (message.left === true)
          for (const name of executions.get(executionId)?.keys() ?? []) forget(executionId, name)
        return
      }
      const { item, stepId } = message
      const before = message.kind === 'begun' ? undefined : executions.get(executionId)?.get(nameOf(message))
      const text = before?.text ?? ''
      remember(executionId, {
        stepId,
        item,
        startedAt: before?.startedAt ?? new Date(),
        phase: message.kind === 'phase' ? message.phase : (before?.phase ?? null),
        text: message.kind === 'token' ? `${text}${message.text}`.slice(-maxTextLength) : text,
      })
    },
    has(executionId, step) {
      const steps = executions.get(executionId)
      return steps !== undefined && (step === undefined || steps.has(nameOf(step)))
    },
    of: (executionId) => [...(executions.get(executionId)?.values() ?? [])],
  }
}

function nameOf({ item, stepId }: WatchedStep): string {
  return `${item} ${stepId}`
}
