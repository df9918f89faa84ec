import type { Tone } from '../../parts/Status.tsx'
import type { ExecutionEntry, TracedStep } from './execution-bodies.ts'

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

/** The state of an execution; one that waits for somebody says so. */
export function describeExecution({
  status,
  approval,
  error_message: why,
}: Pick<ExecutionEntry, 'status' | 'approval' | 'error_message'>): Told {
  if (status === 'queued' && approval === 'pending') return { tone: 'warn', word: 'Needs approval' }
  return { ...stateWords[status], ...(why === null ? {} : { title: why }) }
}

export const stepWords: Readonly<Record<TracedStep['state'], Told>> = {
  waiting: { tone: 'idle', word: 'Waiting' },
  running: { tone: 'busy', word: 'Running' },
  completed: { tone: 'good', word: 'Completed' },
  failed: { tone: 'bad', word: 'Failed' },
  skipped: { tone: 'idle', word: 'Skipped' },
}

const typeWords: Readonly<Record<string, string>> = {
  ai_prompt: 'Model',
  conditional: 'Condition',
  external_api: 'API call',
  data_transform: 'Transform',
  agent: 'Agent',
}

export function describeStepType(type: string): string {
  return Object.hasOwn(typeWords, type) ? (typeWords[type] ?? type) : type
}

/** Whether it may still change by itself. */
export function isUnderWay(status: State): boolean {
  return status === 'queued' || status === 'running'
}
