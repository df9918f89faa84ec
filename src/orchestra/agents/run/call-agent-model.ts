import { type AgentStep, type ModelCalls, type StepRun, templates } from '#engine'
import type { ChatRequest } from '#models'
import type { Findings } from '../analysers/run-analysers.ts'
import type { CheckResult } from '../checks/run-checks.ts'
import type { WorkOrder } from './work-order.ts'

/** The output of a model for a work order. */
export interface ModelOutput {
  readonly output: unknown
  readonly checks: readonly CheckResult[]
  /** The number of calls. */
  readonly asked: number
  readonly provider: string
  readonly model: string
  /** The providers tried for the last response, including the provider that responded. */
  readonly attempts: number
}

/** The first request to the model. */
export async function writeRequest(
  run: StepRun<AgentStep>,
  calls: ModelCalls,
  { agent: { definition }, input, instructions, parameters }: WorkOrder,
  findings: Findings,
): Promise<ChatRequest> {
  const own = definition.ai_options ?? {}
  const requested = run.step.ai_options ?? {}
  const inSystem = { instructions, ...parameters, analysis: findings }
  const system = templates.fillText(definition.system_prompt ?? '', scopeOf(inSystem)).value.trim()
  const prompt = templates
    .fillText(definition.prompt ?? '', scopeOf({ ...inSystem, content: input }))
    .value.trim()
  const request = await calls.request({
    system: system === '' ? undefined : system,
    prompt,
    asJson: false,
    model: requested.model ?? own.model,
    temperature: requested.temperature ?? own.temperature,
    maxTokens: requested.max_tokens ?? own.max_tokens,
  })
  // The built-in provider analyses texts and would analyse the prompt; the analysers have run already.
  return { ...request, avoided: new Set([...run.avoidedProviders, 'builtin']) }
}

/** A template of the agent can read only the values of the agent, not the rest of the execution. */
function scopeOf(memory: Readonly<Record<string, unknown>>) {
  return { memory, context: {}, steps: {} }
}

/** How a response is processed before it is accepted. */
interface PostProcessing {
  /** Converts a text to the output format of the agent. */
  readonly format: (text: string) => Promise<unknown>
  readonly check: (output: unknown) => Promise<readonly CheckResult[]>
}

/** Calls the model, and calls it again with the failed checks until the retry limit of the agent. */
export async function callAgentModel(
  run: StepRun<AgentStep>,
  calls: ModelCalls,
  { agent: { definition } }: Pick<WorkOrder, 'agent'>,
  first: ChatRequest,
  { format, check }: PostProcessing,
): Promise<ModelOutput> {
  const { retry_limit: retries, supports_streaming: streams } = definition.configuration
  const maxCalls = retries + 1
  const streaming = streams ? {} : { onToken: () => {} }
  let asked = 0
  let request = first
  for (;;) {
    run.log('debug', `Calling ${request.call.model}.`, { characters: charactersOf(request) })
    const response = await ask(request, maxCalls - asked)
    run.log('debug', `${response.provider}/${response.model} answered.`, {
      characters: response.text.length,
      asked: response.asked,
    })
    asked += response.asked
    run.onPhase('validation')
    const checks = await check(response.output)
    const failed = checks.filter(isFailed)
    if (failed.length === 0 || asked >= maxCalls) return { ...response, asked, checks }
    run.log('info', `Calling the model again: ${failed.map(describeCheck).join('; ')}.`, { asked })
    request = withFailedChecks(request, response.text, failed)
  }

  async function ask(asking: ChatRequest, attempts: number) {
    const { output_schema: schema } = definition
    if (definition.output_format !== 'json' || schema === undefined) {
      const { text, provider, model, attempts: tried } = await calls.chat(asking, streaming)
      run.onPhase('response_processing')
      return { output: await format(text), text, asked: 1, provider, model, attempts: tried }
    }
    try {
      run.onPhase('ai_response_streaming')
      const answer = await calls.askForJson({ request: asking, schema, attempts })
      run.onPhase('response_processing')
      const { value: output, text, asked: times, provider, model, attempts: tried } = answer
      return { output, text, asked: times, provider, model, attempts: tried }
    } catch (error) {
      throw calls.explainSchema(error)
    }
  }
}

function charactersOf({ call }: ChatRequest): number {
  return call.messages.reduce((sum, { content }) => sum + content.length, 0)
}

export function isFailed({ passed, on_failure }: CheckResult): boolean {
  return passed === false && on_failure === 'fail'
}

/** How much of a response is repeated to the model. */
const maxRepeatedLength = 8000

function withFailedChecks(request: ChatRequest, text: string, failed: readonly CheckResult[]): ChatRequest {
  const feedback = [
    'That is not what is needed yet:',
    ...failed.map((check) => `- ${describeCheck(check)}`),
    'Answer again, in full and in the same form.',
  ].join('\n')
  return {
    ...request,
    // The cache must not return the same response again.
    cache: 'refresh',
    call: {
      ...request.call,
      messages: [
        ...request.call.messages,
        { role: 'assistant', content: text.slice(0, maxRepeatedLength) },
        { role: 'user', content: feedback },
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
