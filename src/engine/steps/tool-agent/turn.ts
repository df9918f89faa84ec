import { Failure, type Problem } from '#kernel/errors'
import { type ChatMessage, findJson, type ModelPart } from '#models'
import type { AgentTurnStep } from '../../definition/step-types.ts'
import type { OfferedTool } from '../../tools/agent-tools.ts'
import { createModelCalls, type ModelCallsOptions } from '../models/model-calls.ts'
import { conditionHolds } from '../step-expressions.ts'
import { StepFailure } from '../step-failure.ts'
import type { StepResult, StepRun } from '../step-run.ts'
import { type AgentScope, maxCallsPerTurn, type RequestedCall, type TurnOutput } from './conversation.ts'

export interface TurnOptions extends ModelCallsOptions {
  /** Validates JSON against the schemas of tools and answers. */
  readonly schemas: {
    findProblems(schema: Readonly<Record<string, unknown>>, json: string): Promise<readonly Problem[]>
  }
}

type Turn = StepRun<AgentTurnStep>

/**
 * Runs a turn: calls the model once, and checks the calls of tools that it requests. The calls are steps of their own. A turn that takes
 * longer than the agent may is stopped, and its output says so. Throws a StepFailure.
 */
export async function runTurn(run: Turn, options: TurnOptions): Promise<StepResult> {
  const agent = run.scope.memory['agent'] as AgentScope
  const { step, messages, tools, isLast, leftMs, leftTokens } = agent
  const { ai_options: model = {} } = step
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)))
  const signal = AbortSignal.any([run.signal, timeout])
  // Usage reports name the step of the flow.
  const calls = createModelCalls({ ...run, step, signal }, options)
  const startedMs = performance.now()
  const collected = createCollector()

  function resultOf(output: Omit<TurnOutput, 'tokens' | 'ms'>): StepResult {
    const usage = calls.usage()
    const ms = Math.round(performance.now() - startedMs)
    return {
      output: { ...output, tokens: usage.inputTokens + usage.outputTokens, ms } satisfies TurnOutput,
      confidence: null,
      quality: null,
      usage,
      details: { finish_reason: output.finish, tool_calls: output.calls.length },
    }
  }

  try {
    const request = await calls.request({
      prompt: '',
      model: model.model,
      temperature: model.temperature,
      maxTokens: smallest(model.max_tokens, leftTokens),
      conversation: {
        messages,
        tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
        toolChoice: isLast ? 'none' : 'auto',
      },
    })
    const { text, finish, provider, attempts, isRouted } = await calls.chat(request, {
      onPart: (part) => collected.add(part),
    })
    await calls.warnOfProvider({ provider, attempts, isRouted, named: model.model })
    const turn = { text, ...collected.thinking(), finish }
    const requested = isLast ? [] : collected.calls()
    if (requested.length > 0)
      return resultOf({
        ...turn,
        finish: 'tool_calls',
        calls: await checkCalls(run, requested, agent, options),
      })
    return resultOf({ ...turn, calls: [], ...(await checkAnswer(text, agent, options)) })
  } catch (error) {
    run.signal.throwIfAborted()
    if (timeout.aborted) return resultOf({ text: '', calls: [], finish: 'timeout', isTimedOut: true })
    throw error instanceof StepFailure ? error.withUsage(calls.usage()) : error
  }
}

function smallest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
}

interface ModelToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** Collects the calls of tools and the reasoning of a response. */
function createCollector() {
  const thinking: { text: string; signature?: string }[] = []
  const calls: { id: string; name: string; arguments: string }[] = []
  return {
    add(part: ModelPart): void {
      const open = thinking.at(-1)
      if (part.type === 'thinking') {
        if (open === undefined || open.signature !== undefined) thinking.push({ text: part.text })
        else open.text += part.text
      } else if (part.type === 'thinking_end') {
        if (open !== undefined) open.signature = part.signature
      } else if (part.type === 'tool_call') {
        calls[part.index] = { id: part.id, name: part.name, arguments: '' }
      } else if (part.type === 'tool_arguments') {
        const call = calls[part.index]
        if (call !== undefined) call.arguments += part.text
      }
    },
    /** Only reasoning with a signature is sent back: providers refuse other reasoning. */
    thinking: (): Pick<TurnOutput, 'thinking'> => {
      const signed = thinking.filter(({ signature }) => signature !== undefined)
      return signed.length === 0 ? {} : { thinking: signed }
    },
    calls: (): readonly ModelToolCall[] => calls.filter((call) => call !== undefined),
  }
}

/**
 * Checks the calls that a model requests.
 *
 * | a call                                              | then                                                            |
 * |-----------------------------------------------------|-----------------------------------------------------------------|
 * | beyond the 16th of the turn, of an unknown tool, or | is not made; the model gets the problem as the result           |
 * | with arguments that do not satisfy the schema       |                                                                 |
 * | that was made twice with the same arguments         | is not made, either; requested once more, it ends the agent     |
 * | of a tool with `approval`                           | is made when a person approves it                               |
 * | any other                                           | is made                                                         |
 */
async function checkCalls(
  run: Turn,
  requested: readonly ModelToolCall[],
  { tools, messages }: AgentScope,
  options: TurnOptions,
): Promise<RequestedCall[]> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const before = new Map<string, number>()
  for (const { name, arguments: given } of messages.flatMap(callsIn)) countUp(before, keyOf(name, given))
  const ids = new Set<string>()
  const checked: RequestedCall[] = []
  for (const [index, { id: givenId, name, arguments: given }] of requested.entries()) {
    const id = givenId === '' || ids.has(givenId) ? `${run.path}/${index}` : givenId
    ids.add(id)
    const tool = byName.get(name)
    const isFlow = tool?.source.type === 'flow'
    const call: RequestedCall = {
      id,
      tool: name,
      arguments: given.trim() === '' ? '{}' : given,
      ...(isFlow && { isFlow }),
    }
    const times = countUp(before, keyOf(name, call.arguments))
    if (index >= maxCallsPerTurn) {
      checked.push({ ...call, problem: `Not called: a turn may request at most ${maxCallsPerTurn} calls.` })
      continue
    }
    const problem =
      tool === undefined
        ? `There is no tool "${name}". Use one of: ${[...byName.keys()].join(', ')}.`
        : await findProblem(tool, call.arguments, options)
    if (times > maxSameCalls) {
      const message = `Not called: the same call was already made ${maxSameCalls} times. Use its results, or answer.`
      checked.push({
        ...call,
        problem: message,
        ...(times > maxSameCalls + 1 && { isRepeated: true as const }),
      })
    } else if (problem !== undefined || tool === undefined) checked.push({ ...call, problem: problem ?? '' })
    else if (await needsApproval(run, tool, call.arguments)) checked.push({ ...call, approval: true })
    else checked.push(call)
  }
  return checked
}

/** A model that repeats a call more often does not get further. */
const maxSameCalls = 2

function callsIn(message: ChatMessage): readonly ModelToolCall[] {
  return message.role === 'assistant' ? (message.toolCalls ?? []) : []
}

function countUp(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}

/** Equal for arguments that differ only in white space. */
function keyOf(name: string, given: string): string {
  const value = parse(given)
  return `${name} ${value === undefined ? given : JSON.stringify(value)}`
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

const maxProblems = 5

async function findProblem(
  { parameters }: OfferedTool,
  given: string,
  { schemas }: TurnOptions,
): Promise<string | undefined> {
  const value = parse(given)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'Not called: the arguments are not a JSON object.'
  const problems = await schemas.findProblems(parameters, given).catch((error: unknown) => {
    // The schema of an MCP server may be one that cannot be checked here; the server checks it itself.
    if (error instanceof Failure && error.code === 'invalid_input') return []
    throw error
  })
  return problems.length === 0 ? undefined : `Not called: ${describeProblems(problems)}`
}

function describeProblems(problems: readonly Problem[]): string {
  return problems
    .slice(0, maxProblems)
    .map(({ path, message }) => `${path === '' ? 'the value' : path} ${message}`)
    .join('; ')
}

/** An expression that fails cannot rule out that the call needs an approval. Throws the reason of the signal. */
async function needsApproval(run: Turn, { name, approval }: OfferedTool, given: string): Promise<boolean> {
  if (approval === 'never' || approval === 'always') return approval === 'always'
  const scope = { memory: { arguments: parse(given) }, context: {}, steps: {} }
  try {
    return await conditionHolds(run, { expression: approval }, scope)
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    const message = `The approval of the tool "${name}" could not be evaluated, so the call must be approved: ${error.message}`
    run.log('warning', message, { warning: 'tool_approval_failed', tool: name })
    return true
  }
}

async function checkAnswer(
  text: string,
  { step }: AgentScope,
  { schemas }: TurnOptions,
): Promise<Pick<TurnOutput, 'answer' | 'invalid'>> {
  const { output_schema: schema } = step
  if (schema === undefined) return {}
  const [found] = findJson(text)
  if (found === undefined) return { invalid: 'The answer contains no JSON.' }
  const problems = await schemas.findProblems(schema, JSON.stringify(found.value))
  return problems.length === 0 ? { answer: { value: found.value } } : { invalid: describeProblems(problems) }
}
