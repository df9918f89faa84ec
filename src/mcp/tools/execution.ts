import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { type PublicApi, pathSegment, ToolError } from '../public-api.ts'
import { workflowsApi } from './tool.ts'

/** The output schema of the execution tools. */
export const Execution = Type.Object({
  execution_id: Type.String(),
  flow_id: Type.String(),
  flow_version: Type.Integer(),
  status: Type.String({ description: 'queued, running, completed, failed or cancelled.' }),
  progress: Type.Number({ description: 'Percentage of finished steps.' }),
  current_step: Type.Union([Type.String(), Type.Null()]),
  result: Type.Unknown({ description: 'Result; null until the execution is completed.' }),
  error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
  cost: Type.Number({ description: 'Cost so far in dollars.' }),
  seconds: Type.Union([Type.Number(), Type.Null()], { description: 'Duration so far in seconds.' }),
  warnings: Type.Array(Type.String()),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'Recommended next call; null when the execution has ended.',
  }),
})

type ExecutionFields = Static<typeof Execution>

interface ErrorPart {
  readonly code: string
  readonly message: string
  readonly recovery_options?: readonly { readonly action: string; readonly description: string }[]
}

interface FinishedResponse {
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

interface RunningResponse {
  readonly execution_id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly status: string
  readonly progress: { readonly overall_percentage: number; readonly current_step: string | null }
  readonly timing: { readonly elapsed_time: number }
  readonly cost_tracking: { readonly current_cost: number }
  readonly approval: string | null
  readonly suspended: { readonly waits: readonly { readonly kind: string }[] } | null
  readonly warnings: readonly { readonly message: string }[]
}

export interface ExecutionView {
  readonly fields: ExecutionFields
  readonly isFinished: boolean
  /** The recovery options of a failed execution. */
  readonly recovery: readonly string[]
}

/** Longer results would fill the context window of the model. */
const maxResultLength = 200_000

/** Reads an execution with the permissions of the caller. Throws a `ToolError`. */
export async function readExecution(api: PublicApi, id: string): Promise<ExecutionView> {
  const body = await api.call<FinishedResponse | RunningResponse>({
    path: `${workflowsApi}/executions/${pathSegment(id)}`,
  })
  return 'execution_summary' in body ? describeFinished(body) : describeRunning(body)
}

const maxTries = 5
const maxPauseSeconds = 5

/** Reads an execution after waiting for it; a short rate limit is retried, so that the result is not lost. */
export async function readWithRetry(api: PublicApi, id: string): Promise<ExecutionView> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await readExecution(api, id)
    } catch (error) {
      const pause = error instanceof ToolError ? error.retryAfterSeconds : undefined
      if (pause === undefined || pause > maxPauseSeconds || tries === maxTries) throw error
      await sleep(pause * 1000)
    }
  }
}

function describeFinished(body: FinishedResponse): ExecutionView {
  const { execution_id, status, execution_summary: summary, error } = body
  const warnings = body.warnings.map(({ message }) => message)
  const isTooLong = (JSON.stringify(body.result) ?? '').length > maxResultLength
  if (isTooLong) {
    warnings.push(
      `The result is too long for a tool result: read it with GET ${workflowsApi}/executions/${execution_id}.`,
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
    isFinished: true,
    recovery: (error?.recovery_options ?? []).map(({ action, description }) => `${action}: ${description}`),
  }
}

function describeRunning(body: RunningResponse): ExecutionView {
  const { execution_id, flow_id, flow_version, status, progress, timing } = body
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
      next: nextCall(body),
    },
    isFinished: false,
    recovery: [],
  }
}

function nextCall({ approval, suspended }: Pick<RunningResponse, 'approval' | 'suspended'>): string {
  if (approval === 'pending')
    return 'The execution waits for approval by an account with the permission "manage workflows".'
  if (suspended?.waits.some(({ kind }) => kind === 'human') === true)
    return 'The execution waits for the answer of a person. list_human_tasks with this execution_id shows the question.'
  return 'Call get_execution with this execution_id and wait_seconds, or cancel_execution.'
}
