import {
  type AgentStep,
  askModel,
  explainModelFailure,
  fillText,
  modelRequestOf,
  StepFailure,
  type StepRun,
  type Tally,
} from '#engine'
import { Failure } from '#kernel/errors'
import type { AskForJson, ChatRequest, Gateway } from '#models'
import type { Findings } from '../analysers/run-analysers.ts'
import type { CheckResult } from '../checks/run-checks.ts'
import type { WorkOrder } from './work-order.ts'

export interface AskOptions {
  readonly gateway: Pick<Gateway, 'chat'>
  readonly askForJson: AskForJson
}

/** What a model made of an order. */
export interface Answer {
  readonly output: unknown
  readonly checks: readonly CheckResult[]
  /** How often it was asked. */
  readonly asked: number
  readonly provider: string
  readonly model: string
  /** Providers that were asked for the last answer, the one that gave it included. */
  readonly attempts: number
}

/** What is asked, before anybody is. */
export function writeRequest(
  run: StepRun<AgentStep>,
  tally: Tally,
  { agent: { definition }, input, instructions, parameters }: WorkOrder,
  findings: Findings,
): ChatRequest {
  const own = definition.ai_options ?? {}
  const wished = run.step.ai_options ?? {}
  const inSystem = { instructions, ...parameters, analysis: findings }
  const system = fillText(definition.system_prompt ?? '', scopeOf(inSystem)).value.trim()
  const prompt = fillText(definition.prompt ?? '', scopeOf({ ...inSystem, content: input })).value.trim()
  const request = modelRequestOf(run, tally, {
    system: system === '' ? undefined : system,
    prompt,
    asJson: false,
    model: wished.model ?? own.model,
    temperature: wished.temperature ?? own.temperature,
    maxTokens: wished.max_tokens ?? own.max_tokens,
  })
  // It measures texts and would measure the prompt; what it can tell was measured already.
  return { ...request, avoided: new Set([...run.avoidedProviders, 'builtin']) }
}

/** A template of the agent sees what is meant for it, and nothing else of the execution. */
function scopeOf(memory: Readonly<Record<string, unknown>>) {
  return { memory, context: {}, steps: {} }
}

/** What becomes of an answer before it is taken. */
interface Finishing {
  /** Brings a text into the format of the agent. */
  readonly format: (text: string) => Promise<unknown>
  readonly check: (output: unknown) => Promise<readonly CheckResult[]>
}

/** Has a model do the work, and asks again, with what was wrong, while the agent allows it. */
export async function askAgentModel(
  run: StepRun<AgentStep>,
  { gateway, askForJson }: AskOptions,
  tally: Tally,
  { agent: { definition } }: Pick<WorkOrder, 'agent'>,
  first: ChatRequest,
  { format, check }: Finishing,
): Promise<Answer> {
  const { retry_limit: retries, supports_streaming: streams } = definition.configuration
  const most = retries + 1
  const watched = streams ? run : { ...run, onToken: () => {} }
  let asked = 0
  let request = first
  for (;;) {
    run.log('debug', `Asks ${request.call.model}.`, { characters: charactersOf(request) })
    const said = await ask(request, most - asked)
    run.log('debug', `${said.provider}/${said.model} answered.`, {
      characters: said.text.length,
      asked: said.asked,
    })
    asked += said.asked
    run.onPhase('validation')
    const checks = await check(said.output)
    const failed = checks.filter(isFailed)
    if (failed.length === 0 || asked >= most) return { ...said, asked, checks }
    run.log('info', `Asked again: ${failed.map(describeCheck).join('; ')}.`, { asked })
    request = withComplaint(request, said.text, failed)
  }

  async function ask(asking: ChatRequest, attempts: number) {
    const { output_schema: schema } = definition
    if (definition.output_format !== 'json' || schema === undefined) {
      const { text, provider, model, attempts: tried } = await askModel(watched, gateway, tally, asking)
      run.onPhase('response_processing')
      return { output: await format(text), text, asked: 1, provider, model, attempts: tried }
    }
    const askedAtMs = performance.now()
    try {
      run.onPhase('ai_response_streaming')
      const answer = await askForJson({ request: asking, schema, attempts })
      tally.answered(answer, answer.cost, answer.asked)
      run.onPhase('response_processing')
      const { value: output, text, asked: times, provider, model, attempts: tried } = answer
      return { output, text, asked: times, provider, model, attempts: tried }
    } catch (error) {
      run.signal.throwIfAborted()
      tally.unanswered(error, performance.now() - askedAtMs)
      throw wrongForm(error) ?? explainModelFailure(error)
    }
  }
}

function charactersOf({ call }: ChatRequest): number {
  return call.messages.reduce((sum, { content }) => sum + content.length, 0)
}

export function isFailed({ passed, on_failure }: CheckResult): boolean {
  return passed === false && on_failure === 'fail'
}

/** Enough of an answer for the model to know it again. */
const longestRepeated = 8000

function withComplaint(request: ChatRequest, text: string, failed: readonly CheckResult[]): ChatRequest {
  const complaint = [
    'That is not what is needed yet:',
    ...failed.map((check) => `- ${describeCheck(check)}`),
    'Answer again, in full and in the same form.',
  ].join('\n')
  return {
    ...request,
    // The same question must not get the same answer from memory.
    cache: 'refresh',
    call: {
      ...request.call,
      messages: [
        ...request.call.messages,
        { role: 'assistant', content: text.slice(0, longestRepeated) },
        { role: 'user', content: complaint },
      ],
    },
  }
}

export function describeCheck({ check, field, expected, found }: CheckResult): string {
  const where = field === null ? '' : ` of ${field}`
  return `${check}${where}: expected ${short(expected)}, found ${short(found)}`
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`
}

/** An answer that never had the form of the agent's output: its own kind of failed check. */
function wrongForm(error: unknown): StepFailure | undefined {
  if (!(error instanceof Failure) || error.code !== 'answer_not_as_asked') return undefined
  const failed = { check: 'output_schema', expected: 'JSON that satisfies it', found: error.problems }
  return new StepFailure({
    code: 'VALIDATION_FAILED',
    message: error.message,
    details: { failed_checks: [failed], reason: error.code },
    cause: error,
  })
}
