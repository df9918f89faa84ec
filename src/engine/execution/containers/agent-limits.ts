import type { ChatMessage } from '#models'
import type { ToolAgentStep } from '../../definition/step-types.ts'
import { durationMs } from '../../definition/values.ts'
import { StepFailure } from '../../steps/step-failure.ts'
import { lengthOf, maxConversationLength, type TurnOutput } from '../../steps/tool-agent/conversation.ts'

export const defaultTurns = 10

const defaultTimeMs = 600_000

/** A result of a tool that is shorter than this says nothing. */
export const minResultLength = 1000

/** A limit that an agent has reached. */
export interface Limit {
  readonly name: string
  readonly message: string
}

/** What an agent has used so far. */
interface Used {
  readonly messages: readonly ChatMessage[]
  readonly tokens: number
  readonly ms: number
}

/** The limit that is reached when a turn requests calls; none of them is made then. */
export function findLimit(
  step: ToolAgentStep,
  { calls }: TurnOutput,
  progress: Used,
  turn: number,
): Limit | undefined {
  const { max_turns: maxTurns = defaultTurns, max_tokens_total: maxTokens } = step
  const repeated = calls.find(({ isRepeated }) => isRepeated === true)
  if (repeated !== undefined) {
    const message = `The agent requested the same call of the tool "${repeated.tool}" again and again.`
    return { name: 'repeated_call', message }
  }
  if (turn + 1 >= maxTurns)
    return { name: 'max_turns', message: `The agent has no answer after ${maxTurns} turns.` }
  if (maxTokens !== undefined && progress.tokens >= maxTokens) {
    const message = `The agent has used ${progress.tokens} tokens, and max_tokens_total is ${maxTokens}.`
    return { name: 'max_tokens_total', message }
  }
  return findLateLimit(step, progress)
}

/** A limit that calls can reach. */
export function findLateLimit(
  step: ToolAgentStep,
  { ms, messages }: Pick<Used, 'ms' | 'messages'>,
): Limit | undefined {
  if (ms >= maxTimeMsOf(step)) return timeLimit(step)
  if (lengthOf(messages) + minResultLength <= maxConversationLength) return undefined
  const message = `The conversation of the agent is longer than ${maxConversationLength / 1024} KiB.`
  return { name: 'conversation', message }
}

export function timeLimit(step: ToolAgentStep): Limit {
  const message = `The agent has no answer after ${maxTimeMsOf(step) / 1000} seconds.`
  return { name: 'max_time', message }
}

export function maxTimeMsOf({ max_time: time }: ToolAgentStep): number {
  return time === undefined ? defaultTimeMs : durationMs(time)
}

export function notMade({ message }: Limit) {
  return { text: `Not called: ${message} Answer now from what you have.`, is_error: true }
}

export function exceeded({ name, message }: Limit): StepFailure {
  return new StepFailure({
    code: 'TOOL_LIMIT_EXCEEDED',
    message: `${message} Raise the limit, or simplify the task.`,
    details: { limit: name },
  })
}
