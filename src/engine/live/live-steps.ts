import type { StepRef } from '../execution/leased-execution.ts'
import type { StepPhase } from '../steps/step-run.ts'
import type { LiveMessage } from './messages.ts'

/** A running step, as far as live messages describe it. */
export interface LiveStep {
  readonly stepId: string
  readonly item: number
  readonly startedAt: Date
  readonly phase: StepPhase | null
  /** The last part of the text of its model. */
  readonly text: string
}

interface LiveSteps {
  take(message: LiveMessage): void
  has(executionId: string, step?: StepRef): boolean
  of(executionId: string): readonly LiveStep[]
}

interface LiveStepsOptions {
  readonly maxSteps?: number
  readonly maxCharacters?: number
}

const maxTextLength = 4000

/**
 * Keeps the running steps of all executions until their outcome is committed or their execution leaves its worker. Messages can be
 * lost, so the number of steps and characters is also limited: the least recently updated step is dropped first.
 */
export function createLiveSteps({
  maxSteps = 5000,
  maxCharacters = 4 * 1024 * 1024,
}: LiveStepsOptions = {}): LiveSteps {
  const executions = new Map<string, Map<string, LiveStep>>()
  /** The execution of each step, the least recently updated first. */
  const order = new Map<string, { readonly executionId: string; readonly key: string }>()
  let characters = 0

  function remove(executionId: string, key: string): void {
    const steps = executions.get(executionId)
    const step = steps?.get(key)
    if (steps === undefined || step === undefined) return
    characters -= step.text.length
    steps.delete(key)
    if (steps.size === 0) executions.delete(executionId)
    order.delete(`${executionId} ${key}`)
  }

  function update(executionId: string, step: LiveStep): void {
    const key = keyOf(step)
    remove(executionId, key)
    const steps = executions.get(executionId) ?? new Map<string, LiveStep>()
    executions.set(executionId, steps.set(key, step))
    order.set(`${executionId} ${key}`, { executionId, key })
    characters += step.text.length
    for (const oldest of order.values()) {
      if (order.size <= maxSteps && characters <= maxCharacters) break
      remove(oldest.executionId, oldest.key)
    }
  }

  return {
    take(message) {
      const { executionId } = message
      if (message.kind === 'advanced') {
        for (const step of message.ended ?? []) remove(executionId, keyOf(step))
        if (message.left === true)
          for (const key of executions.get(executionId)?.keys() ?? []) remove(executionId, key)
        return
      }
      const { item, stepId } = message
      const before = message.kind === 'begun' ? undefined : executions.get(executionId)?.get(keyOf(message))
      const text = before?.text ?? ''
      update(executionId, {
        stepId,
        item,
        startedAt: before?.startedAt ?? new Date(),
        phase: message.kind === 'phase' ? message.phase : (before?.phase ?? null),
        text: message.kind === 'token' ? `${text}${message.text}`.slice(-maxTextLength) : text,
      })
    },
    has(executionId, step) {
      const steps = executions.get(executionId)
      return steps !== undefined && (step === undefined || steps.has(keyOf(step)))
    },
    of: (executionId) => [...(executions.get(executionId)?.values() ?? [])],
  }
}

function keyOf({ item, stepId }: StepRef): string {
  return `${item} ${stepId}`
}
