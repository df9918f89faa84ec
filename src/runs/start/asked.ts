import type { ExecutionInput, Priority } from '#engine'

/** What a request asks for, in the words of the engine. */
export interface Asked {
  readonly flowId: string
  readonly flowVersion: number | undefined
  readonly priority: Priority
  readonly input: ExecutionInput
  /** Whether the caller waits for the result. */
  readonly waits: boolean
  /** Where it names the address to be called; undefined when it names none. */
  readonly webhookField: string | undefined
}
