import type { Static, TObject } from 'typebox'
import type { PublicApi } from '../public-api.ts'

/** How far something is. */
export interface Progress {
  readonly progress: number
  readonly total: number
  readonly message: string
}

/** Somebody calls a tool. */
export interface ToolCall {
  readonly api: PublicApi
  /** The caller wants no answer any more. */
  readonly cancelled: AbortSignal
  /** The server stops: whoever waits is to answer with what is known. */
  readonly closing: AbortSignal
  /** Tells the caller how far it is, if the caller wants to know. */
  readonly tell: (progress: Progress) => Promise<void>
}

export interface Tool<Input extends TObject = TObject, Output extends TObject = TObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** Whether it only reads. */
  readonly readOnly: boolean
  /** Whether calling it twice is the same as calling it once. */
  readonly idempotent: boolean
  run(given: Static<Input>, call: ToolCall): Promise<Static<Output>>
}

/** Gives a tool its types. */
export function defineTool<Input extends TObject, Output extends TObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> {
  return tool
}

export const workflowsApi = '/ai-workflows/api'
