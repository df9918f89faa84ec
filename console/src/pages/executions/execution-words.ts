import type { Tone } from '../../parts/Status.tsx'
import type { ExecutionEntry, TracedStep } from './execution-queries.ts'

type State = ExecutionEntry['status']

interface Told {
  readonly tone: Tone
  readonly word: string
  readonly title?: string
}

export const executionStates = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

export const stateWords: Readonly<Record<State, Told>> = {
  queued: { tone: 'idle', word: 'Queued' },
  running: { tone: 'busy', word: 'Running' },
  completed: { tone: 'good', word: 'Completed' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'idle', word: 'Cancelled' },
}

/** The state of an execution; a pending approval and an execution that only waits have their own labels. */
export function describeExecution({
  status,
  approval,
  suspended,
  error_message: why,
}: Pick<ExecutionEntry, 'status' | 'approval' | 'suspended' | 'error_message'>): Told {
  if (status === 'queued' && approval === 'pending') return { tone: 'warn', word: 'Needs approval' }
  if (suspended) return { tone: 'idle', word: 'Waiting', title: 'Waits for a time, an event or an answer.' }
  return { ...stateWords[status], ...(why === null ? {} : { title: why }) }
}

export const stepWords: Readonly<Record<TracedStep['state'], Told>> = {
  waiting: { tone: 'idle', word: 'Pending' },
  running: { tone: 'busy', word: 'Running' },
  suspended: { tone: 'idle', word: 'Waiting' },
  completed: { tone: 'good', word: 'Completed' },
  failed: { tone: 'bad', word: 'Failed' },
  skipped: { tone: 'idle', word: 'Skipped' },
}

const typeWords: Readonly<Record<string, string>> = {
  ai_prompt: 'Prompt',
  conditional: 'Condition',
  external_api: 'HTTP request',
  data_transform: 'Transform',
  agent: 'Agent',
  for_each: 'For each',
  wait: 'Wait',
  wait_for_event: 'Wait for event',
  human: 'Human task',
}

export function describeStepType(type: string): string {
  return Object.hasOwn(typeWords, type) ? (typeWords[type] ?? type) : type
}

/** Whether the execution is unfinished, so that its state may still change. */
export function isUnderWay(status: State): boolean {
  return status === 'queued' || status === 'running'
}

/** The recovery methods of a failed execution. */
export const recoveryActions = {
  restart_from_checkpoint: {
    title: 'Retry the failed step',
    about: 'Completed steps are not run again.',
  },
  retry_with_different_provider: {
    title: 'Use another provider',
    about: 'Retries the failed step without the provider that failed.',
  },
  continue_without_failed_step: {
    title: 'Skip the failed step',
    about: 'Steps that depend on its output are skipped.',
  },
} as const

export type RecoveryAction = keyof typeof recoveryActions
