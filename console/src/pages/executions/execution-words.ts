import type { Outcome } from '../../parts/OutcomeBar.tsx'
import type { Tone } from '../../parts/Status.tsx'
import type { ExecutionEntry, ExecutionStatus, TracedStep } from './execution-queries.ts'

type State = ExecutionEntry['status']

interface Told {
  readonly tone: Tone
  readonly word: string
  readonly title?: string
}

/** What executions do, in the order of the filter: those that need a person first. */
export const listedStates = [
  'needs_approval',
  'needs_answer',
  'failed',
  'running',
  'waiting',
  'queued',
  'completed',
  'cancelled',
] as const satisfies readonly ExecutionEntry['state'][]

export const listedStateWords: Readonly<Record<ExecutionEntry['state'], Told>> = {
  needs_approval: { tone: 'warn', word: 'Needs approval' },
  needs_answer: { tone: 'warn', word: 'Needs answer', title: 'A human task is open.' },
  queued: { tone: 'idle', word: 'Queued' },
  running: { tone: 'busy', word: 'Running' },
  waiting: { tone: 'idle', word: 'Waiting', title: 'Waits for a time, an event or a limit of its workflow.' },
  completed: { tone: 'good', word: 'Completed' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'idle', word: 'Cancelled' },
}

/** What started an execution. */
export const triggerWords: Readonly<Record<string, string>> = {
  request: 'Request',
  schedule: 'Schedule',
  trigger: 'Trigger',
  rerun: 'Run again',
  fork: 'Fork',
  test: 'Test run',
}

export const stateWords: Readonly<Record<State, Told>> = {
  queued: { tone: 'idle', word: 'Queued' },
  running: { tone: 'busy', word: 'Running' },
  completed: { tone: 'good', word: 'Completed' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'idle', word: 'Cancelled' },
}

/** The state of one execution, as lists have it. */
export function listedStateOf({
  status,
  approval,
  suspended,
  gated,
}: Pick<ExecutionStatus, 'approval' | 'suspended' | 'gated'> & {
  readonly status: State
}): ExecutionEntry['state'] {
  if (!isUnderWay(status)) return status
  if (status === 'queued' && approval === 'pending') return 'needs_approval'
  if (suspended !== null)
    return suspended.waits.some(({ kind }) => kind === 'human') ? 'needs_answer' : 'waiting'
  return gated === null ? status : 'waiting'
}

/** An execution as a bar of the last outcomes. */
export function outcomeOfRun(run: {
  readonly execution_id: string
  readonly status: State
  readonly duration: number | null
}): Outcome {
  const { execution_id: id, status, duration } = run
  return { id, execution: id, duration, ...stateWords[status] }
}

export const stepWords: Readonly<Record<TracedStep['state'], Told>> = {
  waiting: { tone: 'idle', word: 'Pending' },
  running: { tone: 'busy', word: 'Running' },
  suspended: { tone: 'idle', word: 'Waiting' },
  completed: { tone: 'good', word: 'Completed' },
  failed: { tone: 'bad', word: 'Failed' },
  skipped: { tone: 'idle', word: 'Skipped' },
  stopped: { tone: 'warn', word: 'Stopped', title: 'It ran when the execution ended.' },
  not_run: { tone: 'idle', word: 'Not run', title: 'The execution ended before it started.' },
}

const typeWords: Readonly<Record<string, string>> = {
  ai_prompt: 'Prompt',
  conditional: 'Condition',
  external_api: 'HTTP request',
  data_transform: 'Transform',
  agent: 'Agent',
  for_each: 'For each',
  repeat_until: 'Repeat until',
  sub_flow: 'Sub-flow',
  wait: 'Wait',
  wait_for_event: 'Wait for event',
  human: 'Human task',
  tool_agent: 'Agent with tools',
  agent_turn: 'Turn',
  agent_flow_call: 'Workflow call',
  agent_tool_call: 'Tool call',
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

/** The progress of a container: `7 of 50`. */
export function describeNested({ total, completed, failed }: NonNullable<TracedStep['nested']>): string {
  const count = `${completed + failed} of ${total}`
  return failed === 0 ? count : `${count}, ${failed} failed`
}
