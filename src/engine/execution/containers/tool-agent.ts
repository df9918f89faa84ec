import type { ChatMessage } from '#models'
import type {
  AgentFlowCallStep,
  AgentToolCallStep,
  AgentTurnStep,
  HumanStep,
  Step,
  ToolAgentStep,
} from '../../definition/step-types.ts'
import { microDollars } from '../../definition/values.ts'
import { readGraph } from '../../graph/graph.ts'
import { StepFailure, type StepFailureCode } from '../../steps/step-failure.ts'
import { approvalId, callId } from '../../steps/tool-agent/call.ts'
import {
  type AgentRecord,
  type AgentScope,
  type CallOutput,
  firstMessages,
  lengthOf,
  maxConversationLength,
  messageOf,
  type RequestedCall,
  resultMessage,
  type TurnOutput,
} from '../../steps/tool-agent/conversation.ts'
import type { StoredError } from '../../store/commit.ts'
import { maxResultLength } from '../../tools/tool.ts'
import {
  defaultTurns,
  exceeded,
  findLateLimit,
  findLimit,
  type Limit,
  maxTimeMsOf,
  minResultLength,
  notMade,
  timeLimit,
} from './agent-limits.ts'
import type { ContainerDriver, ContainerState, NextScope } from './container.ts'

/** Calls of one turn that run in parallel. */
const parallelCalls = 5

/**
 * Runs an agent with tools. Turn N is scope 2N with the step `$turn`, its calls of tools are scope 2N + 1 with the steps `$call_I`, and
 * `$approve_I` before those that a person must approve. A call of a flow is a container of its own. Every turn and every call is a stored outcome, so none of them runs twice.
 *
 * | the last turn                                       | then                                                                        |
 * |-----------------------------------------------------|-----------------------------------------------------------------------------|
 * | answers                                             | completed                                                                   |
 * | answers, and not as `output_schema` says            | one more turn with the problems; after it, failed with VALIDATION_FAILED    |
 * | requests calls                                      | the calls, then the next turn                                               |
 * | requests calls, and a limit is reached              | with `fail`, TOOL_LIMIT_EXCEEDED; with `answer`, a last turn without tools  |
 * | requests the same call for the fourth time          | the same                                                                    |
 * | fails                                               | failed with its error; TOOL_LIMIT_EXCEEDED when `max_cost` is spent         |
 */
export const toolAgentDriver: ContainerDriver<ToolAgentStep> = {
  variables: (_step, _record, index, before) => ({
    turn: Math.floor(index / 2) + 1,
    ...(index % 2 === 1 && requestedIn(before)),
  }),

  graphOf(step, index, { before } = {}) {
    if (index % 2 === 0) return readGraph([turnStep(step)])
    const { $turn: turn } = (before ?? {}) as Ended
    return turn === undefined ? undefined : readGraph(callSteps(step, turn.calls))
  },

  start(step, record) {
    const { max_turns: maxTurns = defaultTurns, max_cost: maxCost } = step
    return {
      // The last answer and one repair come on top of the turns with tools.
      total: 2 * (maxTurns + 2),
      budget: maxCost === undefined ? undefined : microDollars(maxCost),
      result: { isKept: true, wrap: (_result, outputs) => ({ ...outputs }) },
      next: (state) => nextOf(step, record as AgentRecord, state),
    }
  },
}

/** The result of a scope with a turn. */
interface Ended {
  readonly $turn?: TurnOutput
}

/** The conversation so far, and what it has used. */
interface Progress {
  readonly messages: ChatMessage[]
  tokens: number
  ms: number
  toolCalls: number
  repairs: number
  /** The limit that was reached; the model must answer now. */
  limit: Limit | undefined
}

function nextOf(
  step: ToolAgentStep,
  record: AgentRecord,
  { open, ended, failed }: ContainerState,
): NextScope {
  if (failed !== undefined) return { kind: 'failed', failure: failureOf(step, failed) }
  if (open.size > 0) return { kind: 'wait' }
  const progress: Progress = {
    messages: firstMessages(record, step),
    tokens: 0,
    ms: 0,
    toolCalls: 0,
    repairs: 0,
    limit: undefined,
  }
  for (let turn = 0; ; turn += 1) {
    const { $turn: output } = (ended.get(2 * turn)?.result ?? {}) as Ended
    if (output === undefined) return openTurn(step, record, progress, turn)
    const next =
      output.calls.length === 0
        ? endOf(step, output, progress, turn)
        : callsOf(step, record, { output, turn, results: ended.get(2 * turn + 1)?.result }, progress)
    if (next !== undefined) return next
  }
}

/** How the agent ends after a turn without calls; undefined: it has another turn. */
function endOf(
  step: ToolAgentStep,
  output: TurnOutput,
  progress: Progress,
  turn: number,
): NextScope | undefined {
  const { messages, limit } = progress
  progress.tokens += output.tokens
  progress.ms += output.ms
  if (output.isTimedOut === true) return { kind: 'failed', failure: exceeded(timeLimit(step)) }
  const isEmpty = output.text.trim() === ''
  if (limit !== undefined && isEmpty) return { kind: 'failed', failure: exceeded(limit) }
  if (output.invalid === undefined) {
    return {
      kind: 'completed',
      output: output.answer === undefined ? output.text : output.answer.value,
      details: {
        turns: turn + 1,
        tool_calls: progress.toolCalls,
        ...(limit !== undefined && { limit: limit.name }),
      },
    }
  }
  if (progress.repairs > 0) return { kind: 'failed', failure: notAsAsked(output.invalid) }
  progress.repairs += 1
  // A model that answers again needs no tools.
  progress.limit ??= { name: 'output_schema', message: `The answer is not as asked: ${output.invalid}` }
  messages.push(...(isEmpty ? [] : [messageOf(output)]), {
    role: 'user',
    content: `Your answer does not satisfy the JSON schema: ${output.invalid}. Answer again, with JSON that satisfies it and nothing else.`,
  })
  return undefined
}

interface TurnWithCalls {
  readonly output: TurnOutput
  readonly turn: number
  /** The outputs of the calls; undefined: they have not run. */
  readonly results: unknown
}

/** The calls of a turn, or how the agent ends; undefined: they have been made, and it has another turn. */
function callsOf(
  step: ToolAgentStep,
  record: AgentRecord,
  { output, turn, results }: TurnWithCalls,
  progress: Progress,
): NextScope | undefined {
  const { messages } = progress
  const { calls } = output
  progress.tokens += output.tokens
  progress.ms += output.ms
  messages.push(messageOf(output))
  const before = findLimit(step, output, progress, turn)
  const runnable = runnableIn(calls)
  if (before !== undefined) {
    if (step.on_limit !== 'answer') return { kind: 'failed', failure: exceeded(before) }
    progress.limit = before
    messages.push(...calls.map((call) => resultMessage(call, notMade(before))))
    return undefined
  }
  if (runnable.length > 0 && results === undefined)
    return openCalls(step, record, { output, turn, runnable }, progress)
  const outputs = (results ?? {}) as Readonly<Record<string, CallOutput>>
  messages.push(...calls.map((call, index) => resultMessage(call, outputs[callId(index)])))
  progress.toolCalls += runnable.length
  progress.ms += Math.max(0, ...runnable.map((index) => outputs[callId(index)]?.ms ?? 0))
  const after = findLateLimit(step, progress)
  if (after === undefined) return undefined
  if (step.on_limit !== 'answer') return { kind: 'failed', failure: exceeded(after) }
  progress.limit = after
  return undefined
}

function openTurn(step: ToolAgentStep, { tools }: AgentRecord, progress: Progress, turn: number): NextScope {
  const { messages, tokens, ms, limit } = progress
  const { max_tokens_total: maxTokens } = step
  // The last answer has a little time and some tokens, although the limit is reached.
  const agent: AgentScope = {
    step,
    tools,
    messages,
    isLast: limit !== undefined,
    leftMs: Math.max(maxTimeMsOf(step) - ms, limit === undefined ? 1 : lastAnswer.ms),
    leftTokens:
      maxTokens === undefined
        ? undefined
        : Math.max(maxTokens - tokens, limit === undefined ? 1 : lastAnswer.tokens),
    calls: [],
    maxResultLength: 0,
  }
  const index = 2 * turn
  return {
    kind: 'open',
    scope: {
      index,
      memory: { ...toolAgentDriver.variables(step, undefined, index), agent },
      graph: toolAgentDriver.graphOf?.(step, index),
    },
  }
}

const lastAnswer = { ms: 60_000, tokens: 4096 } as const

interface OpenedCalls {
  readonly output: TurnOutput
  readonly turn: number
  /** The calls that are made, by their position in the turn. */
  readonly runnable: readonly number[]
}

function openCalls(
  step: ToolAgentStep,
  { tools }: AgentRecord,
  { output, turn, runnable }: OpenedCalls,
  progress: Progress,
): NextScope {
  const { calls } = output
  const { messages, ms } = progress
  const left = (maxConversationLength - lengthOf(messages)) / runnable.length
  const agent: AgentScope = {
    step,
    tools,
    messages: [],
    isLast: false,
    leftMs: maxTimeMsOf(step) - ms,
    calls,
    // A text is longer as JSON.
    maxResultLength: Math.max(minResultLength, Math.min(maxResultLength, Math.floor(left / 2))),
  }
  const index = 2 * turn + 1
  const ended: Ended = { $turn: output }
  return {
    kind: 'open',
    scope: {
      index,
      memory: { ...toolAgentDriver.variables(step, undefined, index, ended), agent },
      graph: toolAgentDriver.graphOf?.(step, index, { before: ended }),
    },
  }
}

/** What the approvals of calls show of them. */
function requestedIn(before: unknown): Readonly<Record<string, unknown>> {
  const { $turn: turn } = (before ?? {}) as Ended
  return Object.fromEntries(
    (turn?.calls ?? []).map(({ tool, arguments: given }, index) => [
      `call_${index}`,
      { tool, arguments: given },
    ]),
  )
}

/** The steps of the calls of a turn. Only some run in parallel: each waits for the one before its place. */
function callSteps(step: ToolAgentStep, calls: readonly RequestedCall[]): Step[] {
  const runnable = runnableIn(calls)
  return runnable.flatMap((index, position) => {
    const before = runnable[position - parallelCalls]
    const { approval: asks, isFlow } = calls[index] ?? {}
    const call = callStep(isFlow === true ? 'agent_flow_call' : 'agent_tool_call', index, [
      ...(before === undefined ? [] : [callId(before)]),
      ...(asks === true ? [approvalId(index)] : []),
    ])
    return asks === true ? [approvalStep(step, index), asStep(call)] : [asStep(call)]
  })
}

/** The calls that are made, by their position in the turn. */
function runnableIn(calls: readonly RequestedCall[]): number[] {
  return calls.flatMap(({ problem }, index) => (problem === undefined ? [index] : []))
}

function callStep(
  type: 'agent_tool_call' | 'agent_flow_call',
  index: number,
  dependencies: string[],
): AgentToolCallStep | AgentFlowCallStep {
  return { id: callId(index), type, dependencies, error_handling: { on_failure: 'abort' } }
}

/** The step of a call of a flow, as far as the trace needs it. */
export function flowCallStep(id: string): Step {
  return asStep({ id, type: 'agent_flow_call' })
}

const turnId = '$turn'

function turnStep({ retry_config: retries, error_handling: failing }: ToolAgentStep): Step {
  // The agent itself handles a failure in every other way.
  const onFailure =
    failing?.on_failure === 'retry_with_different_provider' ? 'retry_with_different_provider' : 'abort'
  const turn: AgentTurnStep = {
    id: turnId,
    type: 'agent_turn',
    ...(retries !== undefined && { retry_config: retries }),
    error_handling: { on_failure: onFailure },
  }
  return asStep(turn)
}

function approvalStep({ id, label, approvals = {} }: ToolAgentStep, index: number): HumanStep {
  const { assignees, notify, timeout } = approvals
  return {
    id: approvalId(index),
    type: 'human',
    message: `The agent **${(label ?? id).replaceAll('{{', '{ {')}** asks to call the tool **{{call_${index}.tool}}** with these arguments:\n\n{{call_${index}.arguments}}`,
    ...(assignees !== undefined && { assignees }),
    ...(notify !== undefined && { notify }),
    ...(timeout !== undefined && { timeout }),
    on_timeout: 'continue',
    default: { approved: false },
    error_handling: { on_failure: 'abort' },
  }
}

/** The engine runs generated steps like those of a flow, which has no such types. */
function asStep(step: AgentTurnStep | AgentToolCallStep | AgentFlowCallStep): Step {
  return step as unknown as Step
}

function notAsAsked(problems: string): StepFailure {
  return new StepFailure({
    code: 'VALIDATION_FAILED',
    message: `The answer of the agent does not satisfy output_schema: ${problems}`,
    details: {
      failed_checks: [{ check: 'output_schema', expected: 'JSON that satisfies it', found: problems }],
    },
  })
}

function failureOf(
  { id, max_cost: maxCost }: ToolAgentStep,
  { index, error }: { readonly index: number; readonly error: StoredError },
): StepFailure {
  const scope = error.details?.['scope']
  const isOwnBudget =
    error.code === 'INSUFFICIENT_CREDITS' && typeof scope === 'string' && scope.split('/').at(-1) === id
  if (isOwnBudget)
    return exceeded({ name: 'max_cost', message: `The next turn could exceed max_cost, ${maxCost} dollars.` })
  return new StepFailure({
    code: error.code as StepFailureCode,
    message: `Turn ${Math.floor(index / 2) + 1} failed: ${error.message}`,
    provider: error.provider,
    details: { ...error.details, turn: Math.floor(index / 2) + 1 },
  })
}
