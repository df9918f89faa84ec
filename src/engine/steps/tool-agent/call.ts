import type { SecretReader } from '#connections'
import { Failure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import { disabledTracing, type Tracing } from '#kernel/telemetry'
import type { AgentFlowCallStep, AgentToolCallStep } from '../../definition/step-types.ts'
import {
  connectTool,
  type OfferedTool,
  type OfferServices,
  type ToolServices,
} from '../../tools/agent-tools.ts'
import { callTool, failed, type ToolResult } from '../../tools/tool.ts'
import { idempotencyKeyOf } from '../external-api/prepare-request.ts'
import { sendRequest } from '../external-api/send-request.ts'
import type { SecretValues } from '../secret-values.ts'
import { noUsage, StepFailure } from '../step-failure.ts'
import type { StepResult, StepRun } from '../step-run.ts'
import { type AgentScope, type CallOutput, type RequestedCall } from './conversation.ts'

export interface CallOptions extends OfferServices {
  /** The connections of HTTP tools. Default: there are none. */
  readonly secrets?: SecretReader | undefined
  /** Default: calls are not traced. */
  readonly tracing?: Tracing | undefined
}

type Call = StepRun<AgentToolCallStep>

/** The id of the step that calls a tool, and of the one that asks for its approval. */
export const callId = (index: number) => `$call_${index}`
export const approvalId = (index: number) => `$approve_${index}`

/**
 * Calls a tool that a turn has requested. Every failure is a result for the model. A call that was interrupted by a crash is made again,
 * with the same idempotency key. Throws the reason of the signal, and when the database is unavailable.
 */
export async function runToolCall(run: Call, options: CallOptions, used: SecretValues): Promise<StepResult> {
  const { path, item, executionId, accountId, signal, log } = run
  const { agent, call, tool, rejection } = readCall(run)
  const startedMs = performance.now()
  const result =
    rejection ??
    (await traceCall(options.tracing, run, { call, tool }, () =>
      callTool(
        connectTool(tool, servicesOf(options, { accountId, signal, used })),
        JSON.parse(call.arguments) as Record<string, unknown>,
        { executionId, accountId, signal, idempotencyKey: idempotencyKeyOf(executionId, path, item) },
        {
          timeoutMs: Math.max(1, agent.leftMs),
          maxLength: agent.maxResultLength,
          redact: (text) => used.redactText(text),
        },
      ).catch(asResult),
    ))
  const ms = Math.round(performance.now() - startedMs)
  if (result.isCut === true)
    log('warning', `The result of the tool "${tool.name}" was too long for the model and was cut.`, {
      warning: 'tool_result_cut',
      tool: tool.name,
    })
  const isLocal = rejection !== undefined || tool.name === 'calculator'
  return {
    output: outputOf(tool, result, ms),
    confidence: null,
    quality: null,
    usage: isLocal ? noUsage : { ...noUsage, networkRequests: 1, apiMs: ms },
    details: detailsOf(call, tool, result),
  }
}

/** A span of the OpenTelemetry conventions for tools. It has neither the arguments nor the result, which can be private. */
function traceCall(
  tracing: Tracing = disabledTracing(),
  { executionId, path }: Pick<Call, 'executionId' | 'path'>,
  { call, tool }: { readonly call: RequestedCall; readonly tool: OfferedTool },
  make: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': call.id,
    'tutti.execution.id': executionId,
    'tutti.step.id': path,
    'tutti.tool.source': tool.source.type,
  }
  return tracing.span(`execute_tool ${tool.name}`, { attributes }, async (span) => {
    const result = await make()
    if (result.isError) {
      span.setAttributes({ 'error.type': 'tool_error' })
      span.fail('the tool failed')
    }
    return result
  })
}

/** The call of a step. `rejection` is its result when a person rejected it, or did not approve it in time. */
export function readCall({
  step,
  scope,
  path,
}: Pick<StepRun<AgentToolCallStep | AgentFlowCallStep>, 'step' | 'scope' | 'path'>) {
  const agent = scope.memory['agent'] as AgentScope
  const index = Number(step.id.slice(callId(0).length - 1))
  const call = agent.calls[index]
  const tool = agent.tools.find(({ name }) => name === call?.tool)
  if (call === undefined || tool === undefined) throw new Error(`the step "${path}" has no call`)
  return { agent, call, tool, rejection: rejectionOf(scope.steps[approvalId(index)]) }
}

export function outputOf(
  { name }: Pick<OfferedTool, 'name'>,
  { text, isError, isCut }: ToolResult,
  ms: number,
): CallOutput {
  return { tool: name, text, is_error: isError, ...(isCut === true && { is_cut: true as const }), ms }
}

function detailsOf(
  { arguments: given }: RequestedCall,
  { name, source }: OfferedTool,
  { isError }: ToolResult,
) {
  return {
    tool: name,
    tool_type: source.type,
    arguments: JSON.parse(given) as unknown,
    is_error: isError,
    ...(source.type === 'mcp' && { server: source.server }),
  }
}

/** An unknown connection, or a host that must not get its credentials. */
function asResult(error: unknown): ToolResult {
  if (error instanceof StepFailure) return failed(error.message)
  throw error
}

/** The result of a call that a person rejected, or did not approve in time; undefined: it needs no approval, or has it. */
function rejectionOf(approval: unknown): ToolResult | undefined {
  if (approval === undefined) return undefined
  const { answered, answer, comment } = approval as {
    readonly answered: boolean
    readonly answer: { readonly approved?: unknown } | null
    readonly comment: string | null
  }
  if (answered && answer?.approved === true) return undefined
  if (!answered) return failed('Not called: no one approved the call in time.')
  return failed(`Not called: a person rejected the call${comment === null ? '.' : `: ${comment}`}`)
}

function servicesOf(
  { secrets, ...services }: CallOptions,
  { accountId, signal, used }: Pick<Call, 'accountId' | 'signal'> & { readonly used: SecretValues },
): ToolServices {
  const requestWith =
    (connection: string): Outbound['request'] =>
    async (url, options) => {
      const request = { url: String(url), options: { ...options, headers: options.headers ?? {} } }
      const { response } = await sendRequest(
        { request, connection, accountId, signal: options.signal ?? signal },
        { outbound: services.outbound, secrets, used },
      )
      if (response instanceof Failure) throw response
      return response
    }
  return { ...services, requestWith }
}
