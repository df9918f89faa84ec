import { randomUUIDv7 } from 'node:crypto'
import {
  type AgentStep,
  type ModelCalls,
  type RunAgent,
  StepFailure,
  type StepRun,
  scoreQuality,
} from '#engine'
import type { ChatRequest, Reservation, TextAnalysis } from '#models'
import type { Agent } from '../agent.ts'
import type { Agents } from '../agents.ts'
import { runAnalysers } from '../analysers/run-analysers.ts'
import { noPrice, priceOf } from '../pricing.ts'
import { describeCheck, isFailed, writeRequest } from './ask-agent-model.ts'
import { asksModel, type MakeOptions, makeOutput } from './make-output.ts'
import { confidenceOf, type Done, decisionOf } from './tell-result.ts'
import { invalid, readOrder, type WorkOrder } from './work-order.ts'

export interface RunAgentOptions extends MakeOptions, FeeOptions {
  readonly agents: Pick<Agents, 'find'>
}

/**
 * Runs steps that have an agent do their work. Its input is measured first; then
 *
 * | the agent                                | and the model that would be asked     | the work is done by                          |
 * |------------------------------------------|---------------------------------------|----------------------------------------------|
 * | has no prompt                            |                                       | measuring                                    |
 * | has a prompt                             | is a language model                   | it                                           |
 * | has a prompt, and says what it measures  | is `builtin`, or others may answer    | measuring, and the output says so            |
 * |                                          | for one that cannot                   |                                              |
 * | has a prompt alone                       | is `builtin`                          | nobody: PROVIDER_UNAVAILABLE                 |
 *
 * The price of the agent is set aside before, and taken when a result is there that satisfies its checks.
 */
export function createRunAgent(options: RunAgentOptions): RunAgent {
  return async (run, callsOf) => {
    const order = await readOrder(options.agents, run)
    refuseLength(order)
    const { id, definition } = order.agent
    const limit = { id, seconds: definition.configuration.timeout }
    return await withinTime(run.signal, limit, (signal) => {
      const limited = { ...run, signal }
      return doWork(options, limited, order, callsOf(limited))
    })
  }
}

async function doWork(
  options: RunAgentOptions,
  run: StepRun<AgentStep>,
  order: WorkOrder,
  calls: ModelCalls,
): ReturnType<RunAgent> {
  const { agent, input, parameters } = order
  const { definition } = agent
  try {
    const { signal } = run
    const analysed = await runAnalysers(input, definition.analysers ?? [], { parameters, signal })
    refuseKind(order, analysed.analysis)
    run.onPhase('prompt_processed')
    const request = (await asksModel(options, run, order))
      ? writeRequest(run, calls, order, analysed.findings)
      : undefined
    const fee = await openFee(options, calls, agent, {
      accountId: run.accountId,
      isBulk: (run.items ?? 1) > 1,
      request,
      times: definition.configuration.retry_limit + 1,
    })
    const done = await makeOutput(options, run, order, analysed, calls, request)
      .then(requirePassed)
      .catch(async (error: unknown) => {
        await fee.release()
        throw error
      })
    const { inputTokens, outputTokens } = calls.usage()
    const paid = await fee.charge(inputTokens + outputTokens)
    return await tell(run, order, done, calls, paid)
  } catch (error) {
    throw error instanceof StepFailure ? error.withUsage(calls.usage()) : error
  }
}

function requirePassed(done: Done): Done {
  const failed = done.checks.filter(isFailed)
  if (failed.length === 0) return done
  throw new StepFailure({
    code: 'VALIDATION_FAILED',
    message: `What the agent made does not pass its checks: ${failed.map(describeCheck).join('; ')}.`,
    details: { failed_checks: failed },
  })
}

async function tell(
  { signal }: StepRun<AgentStep>,
  order: WorkOrder,
  done: Done,
  calls: ModelCalls,
  paid: number,
): ReturnType<RunAgent> {
  const { id, version, definition } = order.agent
  const { method, checks, findings, asked } = done
  const confidence = confidenceOf(done, definition.prompt !== undefined)
  const output = definition.output_format === 'json' ? { ...(done.output as object), method } : done.output
  const { content_field: field } = definition
  const content = field === undefined ? done.output : (done.output as Record<string, unknown>)[field]
  return {
    output,
    decision: decisionOf(order, done, confidence),
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
      agent_cost: paid / 1e6,
    },
  }
}

/** Ends work that takes longer than an agent may. Throws PROVIDER_UNAVAILABLE then, which may be tried again. */
async function withinTime<Result>(
  outer: AbortSignal,
  { id, seconds }: { readonly id: string; readonly seconds: number },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(new Error('the agent is out of time')), seconds * 1000)
  try {
    return await work(AbortSignal.any([outer, over.signal]))
  } catch (error) {
    outer.throwIfAborted()
    if (!over.signal.aborted) throw error
    throw new StepFailure({
      code: 'PROVIDER_UNAVAILABLE',
      message: `"${id}" took longer than the ${seconds} seconds it may take.`,
      details: { agent: id, timeout: seconds, reason: 'agent_timeout' },
      usage: error instanceof StepFailure ? error.usage : undefined,
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Before anything is read: a text that is too long is not even measured. */
function refuseLength({ agent: { id, definition }, input }: WorkOrder): void {
  const { max_input_length: most } = definition.configuration
  if (input.length <= most) return
  throw invalid(`"${id}" takes ${most} characters at most, and the input has ${input.length}.`, {
    agent: id,
    characters: input.length,
    max_input_length: most,
  })
}

/** Throws INVALID_STEP for an input of a type or in a language that the agent does not work on. */
function refuseKind(
  { agent: { id, definition }, input }: WorkOrder,
  { structure, language }: Pick<TextAnalysis, 'structure' | 'language'>,
): void {
  const { input_types: types, supported_languages: languages } = definition
  const type = typeOf(input, structure.format)
  const isTaken = types.some((taken) => taken === type || (taken === 'markdown' && type === 'text'))
  if (!isTaken) {
    throw invalid(`"${id}" works on ${types.join(', ')}, and the input is ${type}.`, {
      agent: id,
      input_types: types,
      found: type,
    })
  }
  if (languages.includes('*') || language?.reliable !== true || languages.includes(language.code)) return
  throw invalid(`"${id}" works on texts in ${languages.join(', ')}, and the input is ${language.name}.`, {
    agent: id,
    supported_languages: languages,
    found: language.code,
  })
}

/** Plain text and Markdown are both `text`: one can always be read as the other. */
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
  /** Writes down what was paid from the money of a day. */
  readonly settle: (settlement: Settlement) => Promise<void>
  /** The tier of an account; undefined when the account is gone. */
  readonly tierOf: (accountId: string) => Promise<string | undefined>
}

/** What the use of an agent costs besides the model. */
interface Fee {
  /** Takes what the work cost; never more than was set aside. Answers whole micro-dollars. */
  charge(tokens: number): Promise<number>
  /** Nothing was made, so nothing is paid. */
  release(): Promise<void>
}

/** What a provider puts around each message, and what a complaint adds to one. */
const tokensAround = 4096

/**
 * Sets the most a use can cost aside. A token stands for at least one byte, so there are no more of them than bytes; an answer that
 * is asked for again goes back to the model with everything before it.
 */
async function openFee(
  { settle, tierOf }: FeeOptions,
  calls: ModelCalls,
  { id, version, definition: { pricing = noPrice } }: Agent,
  use: {
    readonly accountId: string
    readonly isBulk: boolean
    /** Undefined when no model is asked. */
    readonly request: ChatRequest | undefined
    /** How often it may be asked. */
    readonly times: number
  },
): Promise<Fee> {
  const { isBulk, request, times } = use
  const isEnterprise = pricing.enterprise_rate !== 1 && (await tierOf(use.accountId)) === 'enterprise'
  const priced = (tokens: number) => priceOf(pricing, { tokens, isBulk, isEnterprise })
  const most = priced(request === undefined || pricing.per_token === 0 ? 0 : mostTokens(request, times))
  if (most === 0) return { charge: async () => 0, release: async () => {} }
  const reservation = await calls.budget
    .reserve(most, {
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
    charge: (tokens) => pay(Math.min(most, priced(tokens))),
    release: async () => void (await pay(0)),
  }
}

function mostTokens({ call }: ChatRequest, times: number): number {
  const input = call.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  const output = call.maxTokens ?? 0
  // The third time everything of the first two is asked besides.
  return times * (input + tokensAround + times * (output + tokensAround))
}
