import { Failure } from '#kernel/errors'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The arguments of a call, which satisfy the schema of the tool. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** The context of one call of a tool. */
export interface ToolCall {
  readonly executionId: string
  readonly accountId: string
  /** The same for each attempt of a call. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
}

/** A result for a model. A failure of the tool is a result, too: the model decides how to go on. */
export interface ToolResult {
  readonly text: string
  readonly isError: boolean
  /** Whether the text was cut at the limit. */
  readonly isCut?: boolean
}

/** A tool that a model may call. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** The JSON schema of its arguments. */
  readonly parameters: JsonSchema
  readonly timeoutMs: number
  /** Throws a Failure, or the reason of the signal; `callTool` makes a result of a Failure. */
  call(given: ToolArguments, context: ToolCall): Promise<ToolResult>
}

/** The time of a call over HTTP and of a built-in tool. */
export const usualTimeoutMs = 30_000

/** The size of a result that a model sees. */
export const maxResultLength = 64 * 1024

interface CallLimits {
  /** Default: the timeout of the tool. */
  readonly timeoutMs?: number
  /** Default: `maxResultLength`. */
  readonly maxLength?: number
  /** Removes secrets from a result before it is cut: a part of a secret would not be recognised. Default: there are none. */
  readonly redact?: (text: string) => string
}

/**
 * Calls a tool within its timeout, and cuts a result that is too long, with a mark. Throws the reason of the signal of the caller, and any
 * error that is no Failure: that is a bug.
 */
export async function callTool(
  tool: Tool,
  given: ToolArguments,
  context: ToolCall,
  limits: CallLimits = {},
): Promise<ToolResult> {
  const { name } = tool
  const timeoutMs = Math.min(tool.timeoutMs, limits.timeoutMs ?? Number.POSITIVE_INFINITY)
  const maxLength = Math.min(maxResultLength, limits.maxLength ?? Number.POSITIVE_INFINITY)
  const { redact = (text: string) => text } = limits
  const finish = (result: ToolResult) => cutResult({ ...result, text: redact(result.text) }, maxLength)
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([context.signal, timeout])
  try {
    return finish(await tool.call(given, { ...context, signal }))
  } catch (error) {
    context.signal.throwIfAborted()
    if (timeout.aborted) return failed(`The tool ${name} did not respond within ${timeoutMs / 1000} s.`)
    if (error instanceof Failure) return finish(failed(error.message))
    throw error
  }
}

export function failed(text: string): ToolResult {
  return { text, isError: true }
}

/** A result of at most this length, with a mark where it was cut. */
export function cutResult(result: ToolResult, maxLength: number): ToolResult {
  const text = result.text.toWellFormed().replaceAll('\0', '\uFFFD')
  if (text.length <= maxLength) return { ...result, text }
  const mark = `\n[cut: the result has ${text.length} characters]`
  return {
    ...result,
    text: `${text.slice(0, Math.max(0, maxLength - mark.length)).toWellFormed()}${mark}`,
    isCut: true,
  }
}
