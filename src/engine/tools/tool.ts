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

/**
 * Calls a tool within its timeout, and cuts a result that is too long, with a mark. Throws the reason of the signal of the caller, and any
 * error that is no Failure: that is a bug.
 */
export async function callTool(tool: Tool, given: ToolArguments, context: ToolCall): Promise<ToolResult> {
  const { timeoutMs, name } = tool
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([context.signal, timeout])
  try {
    return cutResult(await tool.call(given, { ...context, signal }))
  } catch (error) {
    context.signal.throwIfAborted()
    if (timeout.aborted) return failed(`The tool ${name} did not respond within ${timeoutMs / 1000} s.`)
    if (error instanceof Failure) return cutResult(failed(error.message))
    throw error
  }
}

export function failed(text: string): ToolResult {
  return { text, isError: true }
}

function cutResult(result: ToolResult): ToolResult {
  const text = result.text.toWellFormed().replaceAll('\0', '\uFFFD')
  if (text.length <= maxResultLength) return { ...result, text }
  const mark = `\n[cut: the result has ${text.length} characters]`
  return {
    ...result,
    text: `${text.slice(0, maxResultLength - mark.length).toWellFormed()}${mark}`,
    isCut: true,
  }
}
