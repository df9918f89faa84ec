import type { Static, TObject } from 'typebox'
import type { PublicApi } from '../public-api.ts'

/** A progress notification. */
export interface Progress {
  readonly progress: number
  readonly total: number
  readonly message: string
}

/** The context of a tool call. */
export interface ToolCall {
  readonly api: PublicApi
  /** Aborts when the client cancels the call. */
  readonly cancelled: AbortSignal
  /** Aborts when the server shuts down: a waiting tool returns the current state. */
  readonly closing: AbortSignal
  /** Sends a progress notification, if the client requested them. */
  readonly reportProgress: (progress: Progress) => Promise<void>
}

export interface Tool<Input extends TObject = TObject, Output extends TObject = TObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** Whether the tool changes nothing. */
  readonly readOnly: boolean
  /** Whether repeated calls have the effect of one. */
  readonly idempotent: boolean
  run(given: Static<Input>, call: ToolCall): Promise<Static<Output>>
}

/** Infers the types of a tool from its schemas. */
export function defineTool<Input extends TObject, Output extends TObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> {
  return tool
}

export const workflowsApi = '/ai-workflows/api'
