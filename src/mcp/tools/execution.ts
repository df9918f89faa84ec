import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { type PublicApi, pieceOf, Refusal } from '../public-api.ts'
import { workflowsApi } from './tool.ts'

/** An execution as tools tell of it. */
export const Execution = Type.Object({
  execution_id: Type.String(),
  flow_id: Type.String(),
  flow_version: Type.Integer(),
  status: Type.String({ description: 'queued, running, completed, failed or cancelled.' }),
  progress: Type.Number({ description: 'Percentage of steps that are over.' }),
  current_step: Type.Union([Type.String(), Type.Null()]),
  result: Type.Unknown({ description: 'What came out; null until it is completed.' }),
  error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
  cost: Type.Number({ description: 'Dollars so far.' }),
  seconds: Type.Union([Type.Number(), Type.Null()], { description: 'How long it took, or has taken.' }),
  warnings: Type.Array(Type.String()),
  next: Type.Union([Type.String(), Type.Null()], { description: 'What to do now; null when it is over.' }),
})

type ExecutionFields = Static<typeof Execution>

interface ErrorPart {
  readonly code: string
  readonly message: string
  readonly recovery_options?: readonly { readonly action: string; readonly description: string }[]
}

interface OverBody {
  readonly execution_id: string
  readonly status: string
  readonly execution_summary: {
    readonly flow_id: string
    readonly flow_version: number
    readonly execution_time: number
    readonly total_cost: number
  }
  readonly result: unknown
  readonly error: ErrorPart | null
  readonly warnings: readonly { readonly message: string }[]
}

interface UnderWayBody {
  readonly execution_id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly status: string
  readonly progress: { readonly overall_percentage: number; readonly current_step: string | null }
  readonly timing: { readonly elapsed_time: number }
  readonly cost_tracking: { readonly current_cost: number }
  readonly approval: string | null
  readonly warnings: readonly { readonly message: string }[]
}

export interface KnownExecution {
  readonly fields: ExecutionFields
  readonly isOver: boolean
  /** What can be done about one that failed. */
  readonly recovery: readonly string[]
}

/** Longer ones would fill the memory of whoever reads them. */
const longestResult = 200_000

/** Reads an execution as the caller may see it. */
export async function readExecution(api: PublicApi, id: string): Promise<KnownExecution> {
  const body = await api.call<OverBody | UnderWayBody>({
    path: `${workflowsApi}/executions/${pieceOf(id)}`,
  })
  return 'execution_summary' in body ? describeOver(body) : describeUnderWay(body)
}

const mostTries = 5
const longestPauseSeconds = 5

/** The same after it was waited for: who has come that far is not sent away for having asked a moment too early. */
export async function readPatiently(api: PublicApi, id: string): Promise<KnownExecution> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await readExecution(api, id)
    } catch (error) {
      const pause = error instanceof Refusal ? error.retryAfterSeconds : undefined
      if (pause === undefined || pause > longestPauseSeconds || tries === mostTries) throw error
      await sleep(pause * 1000)
    }
  }
}

function describeOver(body: OverBody): KnownExecution {
  const { execution_id, status, execution_summary: summary, error } = body
  const warnings = body.warnings.map(({ message }) => message)
  const isTooLong = (JSON.stringify(body.result) ?? '').length > longestResult
  if (isTooLong) {
    warnings.push(
      `The result is too long to be shown here: GET ${workflowsApi}/executions/${execution_id} has it.`,
    )
  }
  return {
    fields: {
      execution_id,
      flow_id: summary.flow_id,
      flow_version: summary.flow_version,
      status,
      progress: 100,
      current_step: null,
      result: isTooLong ? null : (body.result ?? null),
      error: error === null ? null : { code: error.code, message: error.message },
      cost: summary.total_cost,
      seconds: summary.execution_time,
      warnings,
      next: null,
    },
    isOver: true,
    recovery: (error?.recovery_options ?? []).map(({ action, description }) => `${action}: ${description}`),
  }
}

function describeUnderWay(body: UnderWayBody): KnownExecution {
  const { execution_id, flow_id, flow_version, status, progress, timing, approval } = body
  return {
    fields: {
      execution_id,
      flow_id,
      flow_version,
      status,
      progress: progress.overall_percentage,
      current_step: progress.current_step,
      result: null,
      error: null,
      cost: body.cost_tracking.current_cost,
      seconds: timing.elapsed_time,
      warnings: body.warnings.map(({ message }) => message),
      next:
        approval === 'pending'
          ? 'It waits until somebody with the permission "manage workflows" approves it.'
          : 'Call get_execution with this execution_id and wait_seconds, or cancel_execution.',
    },
    isOver: false,
    recovery: [],
  }
}
