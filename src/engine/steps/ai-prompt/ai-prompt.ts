import { analyseText, type ChatRequest, findJson } from '#models'
import type { AiPromptStep } from '../../definition/step-types.ts'
import { asText, lookUp } from '../../expressions/paths.ts'
import { fillText, reportMissing } from '../../expressions/templates.ts'
import { createModelCalls, type ModelCalls, type ModelCallsOptions } from '../models/model-calls.ts'
import { StepFailure } from '../step-failure.ts'
import type { StepExecutor, StepResult, StepRun } from '../step-run.ts'
import { validateOutput } from '../validate-output.ts'
import { formatText } from './formatting/format-text.ts'
import { asScore, scoreQuality } from './quality.ts'
import { modelOptionsOf, route } from './route.ts'

/**
 * Calls a model, post-processes its response, and decides how to continue when `agent_routing` is set. The response is validated
 * before the decision: a decision about a rejected response would be paid in vain.
 */
export function createAiPromptExecutor(options: ModelCallsOptions): StepExecutor<AiPromptStep> {
  return async (run) => {
    const calls = createModelCalls(run, options)
    try {
      return await respondAndRoute(run, calls)
    } catch (error) {
      throw error instanceof StepFailure ? error.withUsage(calls.usage()) : error
    }
  }
}

interface Response {
  readonly result: StepResult
  readonly provider: string
}

async function respond(run: StepRun<AiPromptStep>, calls: ModelCalls): Promise<Response> {
  const { step, scope, signal } = run
  const { prompt, system } = fillPrompts(run)
  run.onPhase('prompt_processed')
  const { output_schema: schema } = step
  const asJson = schema === undefined && wantsJson(step)
  const request = await calls.request({ ...modelOptionsOf(step), system, prompt, asJson })
  run.log('debug', `Calls ${request.call.model}.`, { characters: prompt.length })
  if (schema !== undefined) return await respondWithSchema(run, calls, { request, schema })
  const { text, finish, provider, model, attempts, isRouted } = await calls.chat(request)
  run.log('debug', `${provider}/${model} responded.`, { characters: text.length, finish })
  await calls.warnOfProvider({ provider, attempts, isRouted, named: step.ai_options?.model })
  run.onPhase('response_processing')
  const language = lookUp(scope, 'context.metadata.language')
  const { output, applied } = await postProcess(asJson ? jsonOf(text) : text, step.post_processing ?? [], {
    language: typeof language === 'string' ? language : undefined,
    signal,
  })
  const details = { finish_reason: finish, post_processing_applied: applied }
  return { result: resultOf(calls, output, details), provider }
}

/** The response as JSON that satisfies the schema of the step. It is not streamed: only the last of several responses counts. */
async function respondWithSchema(
  run: StepRun<AiPromptStep>,
  calls: ModelCalls,
  { request, schema }: { readonly request: ChatRequest; readonly schema: Readonly<Record<string, unknown>> },
): Promise<Response> {
  const { step } = run
  run.onPhase('ai_response_streaming')
  const response = await calls
    .askForJson({ request, schema, attempts: step.schema_attempts })
    .catch((error: unknown) => {
      throw calls.explainSchema(error)
    })
  const { value, text, asked, finish, provider, model, attempts, route: routed } = response
  run.log('debug', `${provider}/${model} responded.`, { characters: text.length, finish, asked })
  const isRouted = routed !== undefined
  await calls.warnOfProvider({ provider, attempts, isRouted, named: step.ai_options?.model })
  run.onPhase('response_processing')
  const details = { finish_reason: finish, post_processing_applied: [], schema_attempts: asked }
  return { result: resultOf(calls, value, details), provider }
}

function resultOf(calls: ModelCalls, output: unknown, details: StepResult['details']): StepResult {
  return { output, confidence: null, quality: null, usage: calls.usage(), details }
}

async function respondAndRoute(run: StepRun<AiPromptStep>, calls: ModelCalls): Promise<StepResult> {
  const { step, rules } = run
  const { result, provider } = await respond(run, calls)
  run.onPhase('validation')
  const valid = await validateOutput(run, result)
  if (step.agent_routing !== true || !rules.routes) return valid
  const routed = await route(run, calls, { output: valid.output, provider })
  return {
    ...valid,
    ...routed,
    confidence: valid.confidence ?? routed.decision.confidence,
    usage: calls.usage(),
  }
}

function fillPrompts(run: StepRun<AiPromptStep>): {
  readonly prompt: string
  readonly system: string | undefined
} {
  const { step, scope } = run
  const prompt = fillText(step.prompt, scope)
  const system = fillText(step.ai_options?.system_prompt ?? '', scope)
  reportMissing(run, [...new Set([...prompt.missing, ...system.missing])])
  return { prompt: prompt.value, system: system.value === '' ? undefined : system.value }
}

type Operation = NonNullable<AiPromptStep['post_processing']>[number]

interface ProcessOptions {
  /** The expected language of the text: its tag, or its English name. */
  readonly language: string | undefined
  readonly signal: AbortSignal
}

interface Processed {
  readonly value: unknown
  /** Fields of the operation in `post_processing_applied`. */
  readonly report: Readonly<Record<string, unknown>>
}

/** Sentences that a summary keeps. */
const summarySentences = 5

/** Applies operations one after the other. Throws VALIDATION_FAILED when a text does not fit an operation. */
async function postProcess(
  response: unknown,
  operations: readonly Operation[],
  options: ProcessOptions,
): Promise<{ readonly output: unknown; readonly applied: readonly Readonly<Record<string, unknown>>[] }> {
  const applied: Readonly<Record<string, unknown>>[] = []
  let output = response
  for (const operation of operations) {
    const { value, report } = await apply(operation, output, options)
    output = value
    applied.push({ operation: operation.operation, ...report })
  }
  return { output, applied }
}

/** Whether the response must be JSON: no operation turns it into a text before it is parsed. */
function wantsJson({ post_processing: operations = [], validation = {} }: AiPromptStep): boolean {
  const first = operations.find(({ operation }) => operation !== 'quality_check')
  if (first?.operation === 'format' && first.format === 'json') return true
  return first === undefined && (validation.required_fields ?? []).length > 0
}

function apply(operation: Operation, value: unknown, options: ProcessOptions): Promise<Processed> {
  switch (operation.operation) {
    case 'format':
      return format(operation, value, options)
    case 'quality_check':
      return checkQuality(operation, value, options)
    case 'extract_json':
      return Promise.resolve(extractJson(value))
    default:
      return summarise(value, options)
  }
}

async function format(operation: Operation, value: unknown, { signal }: ProcessOptions): Promise<Processed> {
  const { format: wanted = 'markdown', include_toc = false, add_charts = false } = operation
  if (wanted === 'json') return { value: jsonOf(value), report: { format: wanted } }
  const { text, headings, charts } = await formatText(textOf(value), {
    format: wanted,
    withContents: include_toc,
    withCharts: add_charts,
    signal,
  })
  return {
    value: text,
    report: { format: wanted, ...(include_toc && { toc_entries: headings }), ...(add_charts && { charts }) },
  }
}

/** The whole response, parsed as JSON. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [found] = findJson(value)
  if (found === undefined) throw unexpectedResponse('json', 'JSON', value)
  return found.value
}

function extractJson(value: unknown): Processed {
  if (typeof value !== 'string') return { value, report: {} }
  const found = findJson(value).find((json) => typeof json.value === 'object' && json.value !== null)
  if (found === undefined) throw unexpectedResponse('extract_json', 'an object or a list in JSON', value)
  return { value: found.value, report: {} }
}

async function checkQuality(
  { checks, min_quality_score }: Operation,
  value: unknown,
  { language, signal }: ProcessOptions,
): Promise<Processed> {
  const { score, checks: scored } = await scoreQuality(textOf(value), { checks, language, signal })
  const report = { score, checks: scored }
  const expected = min_quality_score === undefined ? undefined : asScore(min_quality_score)
  if (expected !== undefined && (score === null || score < expected)) {
    throw new StepFailure({
      code: 'VALIDATION_FAILED',
      message: `The quality of the text is ${score ?? 'unknown'}, expected ${expected}: ${scored.map(({ check, why }) => `${check}: ${why}`).join('; ')}`,
      details: { failed_checks: [{ check: 'min_quality_score', expected, found: score }], quality: report },
    })
  }
  return { value, report }
}

async function summarise(value: unknown, { signal }: ProcessOptions): Promise<Processed> {
  const text = textOf(value)
  const { summary } = await analyseText(text, { maxSummarySentences: summarySentences, signal })
  // A text without a sentence is its own summary.
  return { value: summary.length === 0 ? text : summary.join(' '), report: { sentences: summary.length } }
}

const maxTextLength = 1024 * 1024

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : describeValue(value)
  if (text.length <= maxTextLength) return text
  throw new StepFailure({
    code: 'INVALID_STEP',
    message: `The response has ${text.length} characters; the limit of post_processing is ${maxTextLength}.`,
    details: { characters: text.length, most: maxTextLength },
  })
}

const maxExcerptLength = 500

function unexpectedResponse(check: string, expected: string, value: unknown): StepFailure {
  return new StepFailure({
    code: 'VALIDATION_FAILED',
    message: `The response does not contain ${expected}.`,
    details: {
      failed_checks: [{ check, expected, found: 'text' }],
      output: asText(value).slice(0, maxExcerptLength),
    },
  })
}

const deepest = 6
const maxEntries = 500

/** A value of JSON as a text in Markdown: the keys of an object are headings, the items of a list stand below each other. */
function describeValue(value: unknown): string {
  if (!isNested(value)) return asText(value)
  if (Array.isArray(value)) return linesOf(value, 0).join('\n')
  return Object.entries(value)
    .slice(0, maxEntries)
    .map(([key, inner]) => `## ${key}\n\n${isNested(inner) ? linesOf(inner, 0).join('\n') : asText(inner)}`)
    .join('\n\n')
}

function linesOf(value: object, depth: number): string[] {
  const sign = `${'  '.repeat(depth)}- `
  const entries = Array.isArray(value)
    ? value.map((inner: unknown) => ['', inner] as const)
    : Object.entries(value).map(([key, inner]) => [`**${key}**: `, inner] as const)
  return entries.slice(0, maxEntries).flatMap(([name, inner]) => {
    if (!isNested(inner) || depth >= deepest) return [`${sign}${name}${asText(inner)}`]
    const below = linesOf(inner, depth + 1)
    return name === '' ? below : [`${sign}${name.trim()}`, ...below]
  })
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
