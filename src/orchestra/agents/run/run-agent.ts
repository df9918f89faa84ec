import { randomUUIDv7 } from 'node:crypto'
import {
  type AgentStep,
  type ModelCalls,
  type RunAgent,
  StepFailure,
  type StepRun,
  scoreQuality,
} from '#engine'
import { disabledTracing, type SpanAttributes, type Tracing } from '#kernel/telemetry'
import type { ChatRequest, Reservation, TextAnalysis } from '#models'
import type { Agent } from '../agent.ts'
import type { Agents } from '../agents.ts'
import { runAnalysers } from '../analysers/run-analysers.ts'
import { noPrice, priceOf } from '../pricing.ts'
import { writeRequest } from './call-agent-model.ts'
import { type AgentResult, confidenceOf, decisionOf } from './describe-result.ts'
import { asksModel, type MakeOptions, makeOutput } from './make-output.ts'
import { invalid, readOrder, type WorkOrder } from './work-order.ts'

export interface RunAgentOptions extends MakeOptions, FeeOptions {
  readonly agents: Pick<Agents, 'find'>
  /** Default: no traces. */
  readonly tracing?: Tracing
}

/**
 * Runs agent steps. The analysers of the agent run first; then:
 *
 * | the agent has                 | the selected model                                 | the output comes from                       |
 * |-------------------------------|----------------------------------------------------|---------------------------------------------|
 * | no prompt                     |                                                    | the analysers                               |
 * | a prompt                      | is a language model                                | the model                                   |
 * | a prompt and analysis_output  | is `builtin`, or failed where a fallback is allowed | the analysers (`method` is `analysis`)      |
 * | a prompt and analysis_output  | responded, but never as the agent needs it          | the analysers, with a warning               |
 * | a prompt only                 | is `builtin`                                       | the step fails with PROVIDER_UNAVAILABLE    |
 *
 * The price of the agent is reserved first, and charged once a result passes its checks.
 */
export function createRunAgent(options: RunAgentOptions): RunAgent {
  const { tracing = disabledTracing() } = options
  return async (run, callsOf) => {
    const order = await readOrder(options.agents, run)
    requireLength(order)
    const { id, definition } = order.agent
    const limit = { id, seconds: definition.configuration.timeout }
    return await withTimeout(run.signal, limit, (signal) => {
      const limited = { ...run, signal }
      return tracing.span(`invoke_agent ${definition.label}`, { attributes: attributesOf(order, run) }, () =>
        doWork({ ...options, tracing }, limited, order, callsOf(limited)),
      )
    })
  }
}

/** The attributes of the OpenTelemetry conventions for agents. */
function attributesOf(
  { agent: { id, version, definition } }: WorkOrder,
  { executionId, step }: StepRun<AgentStep>,
): SpanAttributes {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'tutti',
    'gen_ai.agent.id': id,
    'gen_ai.agent.name': definition.label,
    'gen_ai.agent.version': String(version),
    'tutti.execution.id': executionId,
    'tutti.step.id': step.id,
  }
}

async function doWork(
  options: RunAgentOptions & { readonly tracing: Tracing },
  run: StepRun<AgentStep>,
  order: WorkOrder,
  calls: ModelCalls,
): ReturnType<RunAgent> {
  const { agent, input, parameters } = order
  const { definition } = agent
  try {
    const { signal } = run
    const analysed = await runAnalysers(input, definition.analysers ?? [], {
      parameters,
      signal,
      tracing: options.tracing,
    })
    requireInputType(order, analysed.analysis)
    run.onPhase('prompt_processed')
    const request = (await asksModel(options, run, order, calls))
      ? await writeRequest(run, calls, order, analysed.findings)
      : undefined
    const fee = await openFee(options, calls, agent, {
      accountId: run.accountId,
      isBulk: (run.items ?? 1) > 1,
      request,
      times: definition.configuration.retry_limit + 1,
    })
    const result = await makeOutput(options, run, order, analysed, calls, request).catch(
      async (error: unknown) => {
        await fee.release()
        throw error
      },
    )
    const { inputTokens, outputTokens } = calls.usage()
    const charged = await fee.charge(inputTokens + outputTokens)
    return await describeResult(run, order, result, calls, charged)
  } catch (error) {
    throw error instanceof StepFailure ? error.withUsage(calls.usage()) : error
  }
}

async function describeResult(
  { signal }: StepRun<AgentStep>,
  order: WorkOrder,
  result: AgentResult,
  calls: ModelCalls,
  charged: number,
): ReturnType<RunAgent> {
  const { id, version, definition } = order.agent
  const { method, checks, findings, asked } = result
  const confidence = confidenceOf(result, definition.prompt !== undefined)
  const output =
    definition.output_format === 'json' ? { ...(result.output as object), method } : result.output
  const { content_field: field } = definition
  const content = field === undefined ? result.output : (result.output as Record<string, unknown>)[field]
  return {
    output,
    decision: decisionOf(order, result, confidence),
    confidence,
    quality: typeof content === 'string' ? (await scoreQuality(content, { signal })).score : null,
    usage:
      method === 'model' ? calls.usage() : { ...calls.usage(), provider: 'builtin', model: 'builtin:text' },
    details: {
      agent: id,
      agent_version: version,
      method,
      asked,
      analysis: findings,
      checks,
      agent_cost: charged / 1e6,
    },
  }
}

/** Applies the timeout of an agent. Throws PROVIDER_UNAVAILABLE, which can be retried. */
async function withTimeout<Result>(
  outer: AbortSignal,
  { id, seconds }: { readonly id: string; readonly seconds: number },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new Error('the agent timed out')), seconds * 1000)
  try {
    return await work(AbortSignal.any([outer, timeout.signal]))
  } catch (error) {
    outer.throwIfAborted()
    if (!timeout.signal.aborted) throw error
    throw new StepFailure({
      code: 'PROVIDER_UNAVAILABLE',
      message: `"${id}" exceeded its timeout of ${seconds} seconds.`,
      details: { agent: id, timeout: seconds, reason: 'agent_timeout' },
      usage: error instanceof StepFailure ? error.usage : undefined,
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Runs before the analysers: an input that is too long is not analysed. */
function requireLength({ agent: { id, definition }, input }: WorkOrder): void {
  const { max_input_length: maxLength } = definition.configuration
  if (input.length <= maxLength) return
  throw invalid(`"${id}" takes at most ${maxLength} characters, and the input has ${input.length}.`, {
    agent: id,
    characters: input.length,
    max_input_length: maxLength,
  })
}

/** Throws INVALID_STEP for an input type or a language that the agent does not support. */
function requireInputType(
  { agent: { id, definition }, input }: WorkOrder,
  { structure, language }: Pick<TextAnalysis, 'structure' | 'language'>,
): void {
  const { input_types: types, supported_languages: languages } = definition
  const type = typeOf(input, structure.format)
  const isSupported = types.some((it) => it === type || (it === 'markdown' && type === 'text'))
  if (!isSupported) {
    throw invalid(`"${id}" supports ${types.join(', ')}, and the input is ${type}.`, {
      agent: id,
      input_types: types,
      found: type,
    })
  }
  if (languages.includes('*') || language?.reliable !== true || languages.includes(language.code)) return
  throw invalid(`"${id}" supports texts in ${languages.join(', ')}, and the input is ${language.name}.`, {
    agent: id,
    supported_languages: languages,
    found: language.code,
  })
}

/** Plain text and Markdown are both `text`: they cannot be distinguished. */
function typeOf(input: string, format: 'html' | 'markdown'): 'json' | 'html' | 'text' {
  if (/^\s*[[{]/.test(input) && isJson(input)) return 'json'
  return format === 'html' ? 'html' : 'text'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

type Settlement = NonNullable<Awaited<ReturnType<Reservation['settle']>>>

interface FeeOptions {
  /** Stores a settlement of the daily budget. */
  readonly settle: (settlement: Settlement) => Promise<void>
  /** The tier of an account; undefined when the account is gone. */
  readonly tierOf: (accountId: string) => Promise<string | undefined>
}

/** The price of an agent run besides the model. */
interface Fee {
  /** Charges the price, at most the reserved amount. Returns whole micro-dollars. */
  charge(tokens: number): Promise<number>
  /** Releases the reservation: there was no result. */
  release(): Promise<void>
}

/** Tokens that a provider adds to each message, and that the failed checks add. */
const tokensAround = 4096

/**
 * Reserves the maximum price of a run. A token has at least one byte, so the bytes bound the tokens; each retry sends all messages
 * before it again.
 */
async function openFee(
  { settle, tierOf }: FeeOptions,
  calls: ModelCalls,
  { id, version, definition: { pricing = noPrice } }: Agent,
  use: {
    readonly accountId: string
    readonly isBulk: boolean
    /** Undefined without a model call. */
    readonly request: ChatRequest | undefined
    /** Maximum number of calls. */
    readonly times: number
  },
): Promise<Fee> {
  const { isBulk, request, times } = use
  const isEnterprise = pricing.enterprise_rate !== 1 && (await tierOf(use.accountId)) === 'enterprise'
  const priced = (tokens: number) => priceOf(pricing, { tokens, isBulk, isEnterprise })
  const maxCost = priced(request === undefined || pricing.per_token === 0 ? 0 : tokenBound(request, times))
  if (maxCost === 0) return { charge: async () => 0, release: async () => {} }
  const reservation = await calls.budget
    .reserve(maxCost, {
      callId: randomUUIDv7(),
      source: 'agent',
      provider: 'agent',
      model: id,
      requestedModel: `${id}@${version}`,
      priceSource: 'agent',
      priceVersion: String(version),
      attempts: 1,
    })
    .catch((error: unknown) => {
      throw calls.explain(error)
    })

  async function pay(cost: number): Promise<number> {
    const settlement = await reservation.settle(cost)
    if (settlement !== undefined) await settle(settlement)
    return cost
  }

  return {
    charge: (tokens) => pay(Math.min(maxCost, priced(tokens))),
    release: async () => void (await pay(0)),
  }
}

function tokenBound({ call }: ChatRequest, times: number): number {
  const input = call.messages.reduce(
    (sum, { content }) => sum + Buffer.byteLength(JSON.stringify(content)),
    0,
  )
  const output = call.maxTokens ?? 0
  // Each call repeats the messages of the calls before it.
  return times * (input + tokensAround + times * (output + tokensAround))
}
