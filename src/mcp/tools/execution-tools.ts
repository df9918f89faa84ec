import { Type } from 'typebox'
import { type PublicApi, pieceOf, Refusal } from '../public-api.ts'
import type { McpOptions } from '../route-options.ts'
import { Execution, type KnownExecution, readExecution, readPatiently } from './execution.ts'
import { defineTool, type Tool, type ToolCall, workflowsApi } from './tool.ts'
import { watchExecution } from './watch-execution.ts'

const executionId = Type.String({ minLength: 1, maxLength: 200, description: 'As run_flow answered it.' })

const waitSeconds = (usual: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 600,
      description: `How long to wait for its end, with progress meanwhile. Default: ${usual}. It goes on after that.`,
    }),
  )

/** Shorter than the minute after which most clients give up. */
const usualWait = 45

/** What cannot be waited for any longer is told as it is. */
export function createExecutionTools({ engine }: Pick<McpOptions, 'engine'>): readonly Tool[] {
  const { executions } = engine

  /** Undefined when the server stops meanwhile, and can be asked nothing more. */
  async function waitFor(id: string, seconds: number, call: ToolCall): Promise<KnownExecution | undefined> {
    const { api, cancelled, closing, tell } = call
    await watchExecution({ executions, id, waitMs: seconds * 1000, signals: [cancelled, closing], tell })
    return closing.aborted ? undefined : await readPatiently(api, id)
  }

  const runFlow = defineTool({
    name: 'run_flow',
    title: 'Run a flow',
    description:
      'Runs a flow and waits for its result. One that takes longer is answered with its execution_id, goes on, and is read with get_execution. It costs what its models cost, on the account that calls. Cancelling this call cancels the execution.',
    input: Type.Object(
      {
        flow_id: Type.String({ minLength: 1, maxLength: 200, description: 'Of list_flows.' }),
        flow_version: Type.Optional(Type.Integer({ minimum: 1, description: 'Default: the current one.' })),
        input: Type.Optional(
          Type.String({ description: 'The text it works on; the same as content in context.' }),
        ),
        context: Type.Optional(
          Type.Object(
            {},
            {
              additionalProperties: true,
              description: 'What the flow can read; get_flow shows what it must have.',
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
        wait_seconds: waitSeconds(usualWait),
        idempotency_key: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 255,
            description: 'The same key starts the same run only once within a day.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Execution,
    readOnly: false,
    idempotent: false,
    async run(given, call) {
      const { input, context = {}, wait_seconds = usualWait, idempotency_key: key } = given
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
      using _ = cancelTogether(call, id)
      const known = await waitFor(id, wait_seconds, call)
      if (known === undefined) return describeAccepted(accepted)
      if (known.isOver && known.fields.status !== 'completed') throw failureOf(known)
      return known.fields
    },
  })

  const getExecution = defineTool({
    name: 'get_execution',
    title: 'Read an execution',
    description:
      'Shows where an execution stands and, once it is over, its result. With wait_seconds it waits for the end.',
    input: Type.Object(
      { execution_id: executionId, wait_seconds: waitSeconds(0) },
      { additionalProperties: false },
    ),
    output: Execution,
    readOnly: true,
    idempotent: true,
    async run({ execution_id: id, wait_seconds: seconds = 0 }, call) {
      // Asked first: an execution of somebody else is not followed.
      const now = await readExecution(call.api, id)
      if (now.isOver || seconds === 0) return now.fields
      return (await waitFor(id, seconds, call))?.fields ?? now.fields
    },
  })

  const cancelExecution = defineTool({
    name: 'cancel_execution',
    title: 'Cancel an execution',
    description: 'Ends an execution that is queued or running. What it has cost until then stays spent.',
    input: Type.Object(
      {
        execution_id: executionId,
        reason: Type.Optional(
          Type.String({ maxLength: 2000, description: 'For whoever looks at it later.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      execution_id: Type.String(),
      status: Type.String({ description: 'cancelled; still running while its worker has not answered.' }),
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

/** Its secret is told once, to whoever starts the execution; a model is not the one to keep it. */
function refuseWebhook(options: object = {}): void {
  for (const [group, given] of Object.entries(options)) {
    if (typeof given === 'object' && given !== null && 'webhook_url' in given) {
      throw new Refusal(
        `VALIDATION_FAILED: options.${group}.webhook_url cannot be used here, because nobody could be told its secret. Leave it out and wait, or call get_execution.`,
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
    path: `${workflowsApi}/executions/${pieceOf(id)}/cancel`,
    body: reason === undefined ? {} : { reason },
  })
}

/** Whoever wants no answer any more wants no work for it, either. A server that stops wants nothing of the kind. */
function cancelTogether({ api, cancelled, closing }: ToolCall, id: string): Disposable {
  const stop = () => {
    if (closing.aborted) return
    // It may be over by now, which is as good.
    cancel(api, id, 'The call of the tool was cancelled.').catch(() => {})
  }
  if (cancelled.aborted) stop()
  cancelled.addEventListener('abort', stop, { once: true })
  return { [Symbol.dispose]: () => cancelled.removeEventListener('abort', stop) }
}

function failureOf({ fields, recovery }: KnownExecution): Refusal {
  const { execution_id, status, error } = fields
  return new Refusal(
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
    next: 'The server restarts. Call get_execution with this execution_id in a moment.',
  }
}
