import { Type } from 'typebox'
import type { Engine } from '#engine'
import { type PublicApi, pathSegment, ToolError } from '../public-api.ts'
import type { McpOptions } from '../route-options.ts'
import { Execution, type ExecutionView, readExecution, readWithRetry } from './execution.ts'
import { defineTool, type Progress, type Tool, type ToolCall, workflowsApi } from './tool.ts'

const executionId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The id that run_flow returned.',
})

const waitSeconds = (defaultSeconds: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 600,
      description: `How long to wait for the end, with progress notifications. Default: ${defaultSeconds}. The execution continues after that.`,
    }),
  )

/** Less than a minute, the timeout of most clients. */
const defaultWaitSeconds = 45

/** The tools that run, read and cancel executions. After the waiting time they return the current state. */
export function createExecutionTools({ engine }: Pick<McpOptions, 'engine'>): readonly Tool[] {
  const { executions } = engine

  /** Undefined when the server shuts down while waiting and accepts no more requests. */
  async function waitFor(id: string, seconds: number, call: ToolCall): Promise<ExecutionView | undefined> {
    const { api, cancelled, closing, reportProgress } = call
    const signals = [cancelled, closing]
    await waitForEnd({ executions, id, waitMs: seconds * 1000, signals, reportProgress })
    return closing.aborted ? undefined : await readWithRetry(api, id)
  }

  const runFlow = defineTool({
    name: 'run_flow',
    title: 'Run a flow',
    description:
      'Runs a flow and waits for its result. If it takes longer, the result contains the execution_id, the execution continues, and get_execution reads it. The cost of the models is charged to the calling account. Cancelling this call cancels the execution.',
    input: Type.Object(
      {
        flow_id: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The id of the flow; list_flows lists them.',
        }),
        flow_version: Type.Optional(
          Type.Integer({ minimum: 1, description: 'Default: the current version.' }),
        ),
        input: Type.Optional(Type.String({ description: 'The input text; same as content in context.' })),
        context: Type.Optional(
          Type.Object(
            {},
            {
              additionalProperties: true,
              description: 'The input of the flow; get_flow shows the required fields.',
            },
          ),
        ),
        options: Type.Optional(
          Type.Object(
            {},
            {
              additionalProperties: true,
              description:
                'Options of the execution, such as {"priority": "high", "ai_options": {"cost_limit": 0.5}}.',
            },
          ),
        ),
        wait_seconds: waitSeconds(defaultWaitSeconds),
        idempotency_key: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 255,
            description: 'Calls with the same key within a day start one execution only.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Execution,
    readOnly: false,
    idempotent: false,
    async run(given, call) {
      const { input, context = {}, wait_seconds = defaultWaitSeconds, idempotency_key: key } = given
      refuseWebhook(given.options)
      const accepted = await call.api.call<Accepted>({
        method: 'POST',
        path: `${workflowsApi}/execute-flow-async`,
        headers: key === undefined ? {} : { 'idempotency-key': key },
        body: {
          flow_id: given.flow_id,
          ...(given.flow_version !== undefined && { flow_version: given.flow_version }),
          context: { ...context, ...(input !== undefined && { content: input }) },
          ...(given.options !== undefined && { options: given.options }),
        },
      })
      const id = accepted.execution_id
      using _ = cancelWithCall(call, id)
      const execution = await waitFor(id, wait_seconds, call)
      if (execution === undefined) return describeAccepted(accepted)
      if (execution.isFinished && execution.fields.status !== 'completed') throw executionError(execution)
      return execution.fields
    },
  })

  const getExecution = defineTool({
    name: 'get_execution',
    title: 'Get an execution',
    description:
      'Returns the state of an execution and, when it has ended, its result. With wait_seconds it waits for the end.',
    input: Type.Object(
      { execution_id: executionId, wait_seconds: waitSeconds(0) },
      { additionalProperties: false },
    ),
    output: Execution,
    readOnly: true,
    idempotent: true,
    async run({ execution_id: id, wait_seconds: seconds = 0 }, call) {
      // Read first through the API, which checks that the execution belongs to the caller.
      const now = await readExecution(call.api, id)
      if (now.isFinished || seconds === 0) return now.fields
      return (await waitFor(id, seconds, call))?.fields ?? now.fields
    },
  })

  const cancelExecution = defineTool({
    name: 'cancel_execution',
    title: 'Cancel an execution',
    description: 'Cancels a queued or running execution. Its cost so far is still charged.',
    input: Type.Object(
      {
        execution_id: executionId,
        reason: Type.Optional(Type.String({ maxLength: 2000, description: 'Stored with the execution.' })),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      execution_id: Type.String(),
      status: Type.String({ description: 'cancelled, or running until its worker has confirmed.' }),
      steps_completed: Type.Integer(),
      steps_cancelled: Type.Integer(),
    }),
    readOnly: false,
    idempotent: false,
    async run({ execution_id, reason }, { api }) {
      const { status, steps_completed, steps_cancelled } = await cancel(api, execution_id, reason)
      return { execution_id, status, steps_completed, steps_cancelled }
    },
  })

  return [runFlow, getExecution, cancelExecution]
}

/** The signing secret of a webhook is returned once, when the execution starts; a model cannot store it. */
function refuseWebhook(options: object = {}): void {
  for (const [group, given] of Object.entries(options)) {
    if (typeof given === 'object' && given !== null && 'webhook_url' in given) {
      throw new ToolError(
        `VALIDATION_FAILED: options.${group}.webhook_url cannot be used here, because its secret cannot be delivered. Remove it and wait, or call get_execution.`,
      )
    }
  }
}

interface Accepted {
  readonly execution_id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly status: string
  readonly warnings: readonly { readonly message: string }[]
}

interface Cancelled {
  readonly status: string
  readonly steps_completed: number
  readonly steps_cancelled: number
}

async function cancel(api: PublicApi, id: string, reason: string | undefined): Promise<Cancelled> {
  return await api.call<Cancelled>({
    method: 'POST',
    path: `${workflowsApi}/executions/${pathSegment(id)}/cancel`,
    body: reason === undefined ? {} : { reason },
  })
}

/** Cancels the execution when its tool call is cancelled, but not when the server shuts down. */
function cancelWithCall({ api, cancelled, closing }: ToolCall, id: string): Disposable {
  const stop = () => {
    if (closing.aborted) return
    // The execution may have ended in the meantime.
    cancel(api, id, 'The tool call was cancelled.').catch(() => {})
  }
  if (cancelled.aborted) stop()
  cancelled.addEventListener('abort', stop, { once: true })
  return { [Symbol.dispose]: () => cancelled.removeEventListener('abort', stop) }
}

function executionError({ fields, recovery }: ExecutionView): ToolError {
  const { execution_id, status, error } = fields
  return new ToolError(
    [
      `${error?.code ?? status.toUpperCase()}: ${error?.message ?? `The execution ${status}.`}`,
      `execution_id: ${execution_id}, status: ${status}`,
      ...recovery.map((line) => `- ${line}`),
    ].join('\n'),
  )
}

function describeAccepted({ execution_id, flow_id, flow_version, status, warnings }: Accepted) {
  return {
    execution_id,
    flow_id,
    flow_version,
    status,
    progress: 0,
    current_step: null,
    result: null,
    error: null,
    cost: 0,
    seconds: null,
    warnings: warnings.map(({ message }) => message),
    next: 'The server is restarting. Call get_execution with this execution_id in a moment.',
  }
}

interface WaitOptions {
  readonly executions: Pick<Engine['executions'], 'follow' | 'read'>
  readonly id: string
  readonly waitMs: number
  /** End the wait; the execution continues. */
  readonly signals: readonly AbortSignal[]
  readonly reportProgress: (progress: Progress) => Promise<void>
}

/** Regular progress notifications keep clients from timing out. */
const reportEveryMs = 5000

const ends = new Set(['step_completed', 'step_skipped', 'step_failed'])

/** Waits until an execution has ended, the time is over or a signal aborts, and reports progress. */
async function waitForEnd(options: WaitOptions): Promise<void> {
  const { executions, id, waitMs, signals, reportProgress } = options
  if (waitMs === 0) return
  const signal = AbortSignal.any([...signals, AbortSignal.timeout(waitMs)])
  const record = await executions.read(id)
  if (record === undefined) return
  const total = Math.max(1, record.definition.steps.length * (record.input.batch?.items.length ?? 1))
  const running = new Map<string, number>()
  let finished = 0
  let lastReported = -1

  /** Increases with every finished step and slightly with time: clients expect each notification to increase. */
  const report = async () => {
    const elapsedMs = Math.max(0, ...[...running.values()].map((since) => performance.now() - since))
    const progress = Math.min(total, finished + (elapsedMs / (elapsedMs + 30_000)) * 0.9)
    if (progress <= lastReported) return
    lastReported = progress
    const names = [...running.keys()].slice(0, 5).join(', ')
    const message = `${finished} of ${total} steps finished${names === '' ? '' : `; running: ${names}`}`
    await reportProgress({ progress: Math.round(progress * 1000) / 1000, total, message })
  }

  const timer = setInterval(() => void report(), reportEveryMs)
  try {
    for await (const event of executions.follow({ id, after: 0, signal })) {
      if (event.type === 'token' || !('data' in event)) continue
      const step = `${event.data['step_id'] as string | undefined}`
      if (event.type === 'step_started') running.set(step, performance.now())
      if (!ends.has(event.type)) continue
      running.delete(step)
      finished = Math.min(total, finished + 1)
      await report()
    }
  } finally {
    clearInterval(timer)
  }
}
