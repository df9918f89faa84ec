import { type AskForJson, analyseText, findJson, type Gateway } from '#models'
import type { AiPromptStep } from '../../definition/step-types.ts'
import { lookUp } from '../../expressions/path.ts'
import { asText, fillText } from '../../expressions/template.ts'
import { askModel } from '../models/ask-model.ts'
import { modelRequestOf } from '../models/model-request.ts'
import { createTally, type Tally } from '../models/tally.ts'
import { warnOfPreference } from '../models/warn-of-preference.ts'
import { takeNoteOfMissing } from '../needs.ts'
import { StepFailure, withUsage } from '../step-failure.ts'
import type { StepExecutor, StepResult, StepRun } from '../step-run.ts'
import { validateOutput } from '../validate-output.ts'
import { describeValue } from './formatting/describe-value.ts'
import { formatText } from './formatting/format-text.ts'
import { asScore, judgeQuality } from './quality.ts'
import { route } from './route.ts'
import { wishesOf } from './wishes.ts'

export interface AiPromptOptions {
  readonly gateway: Pick<Gateway, 'chat'>
  readonly askForJson: AskForJson
}

/**
 * Asks a model, works on its answer, and lets an agent decide the way on when the step wants that. The answer is validated before
 * anything is decided by it: nobody pays for a decision about an answer that is not taken.
 */
export function createAiPromptExecutor({ gateway, askForJson }: AiPromptOptions): StepExecutor<AiPromptStep> {
  async function answer(
    run: StepRun<AiPromptStep>,
    tally: Tally,
  ): Promise<{ readonly result: StepResult; readonly provider: string }> {
    const { step, scope, signal } = run
    const { prompt, system } = fillPrompts(run)
    run.onPhase('prompt_processed')
    const asJson = wantsJson(step)
    const request = modelRequestOf(run, tally, { ...wishesOf(step), system, prompt, asJson })
    run.log('debug', `Asks ${request.call.model}.`, { characters: prompt.length })
    const { text, finish, provider, model, attempts } = await askModel(run, gateway, tally, request)
    run.log('debug', `${provider}/${model} answered.`, { characters: text.length, finish })
    warnOfPreference(run, { provider, attempts, named: step.ai_options?.model })
    run.onPhase('response_processing')
    const language = lookUp(scope, 'context.metadata.language')
    const { output, applied } = await postProcess(asJson ? jsonOf(text) : text, step.post_processing ?? [], {
      language: typeof language === 'string' ? language : undefined,
      signal,
    })
    const result = {
      output,
      confidence: null,
      quality: null,
      usage: tally.usage(),
      details: { finish_reason: finish, post_processing_applied: applied },
    }
    return { result, provider }
  }

  async function answerAndDecide(run: StepRun<AiPromptStep>, tally: Tally): Promise<StepResult> {
    const { step, rules } = run
    const { result, provider } = await answer(run, tally)
    run.onPhase('validation')
    const valid = await validateOutput(run, result)
    if (step.agent_routing !== true || !rules.routes) return valid
    const routed = await route(run, askForJson, tally, { output: valid.output, provider })
    return {
      ...valid,
      ...routed,
      confidence: valid.confidence ?? routed.decision.confidence,
      usage: tally.usage(),
    }
  }

  return async (run) => {
    const tally = createTally(run.budget)
    try {
      return await answerAndDecide(run, tally)
    } catch (error) {
      // What was used is told with every failure, whoever found it.
      throw error instanceof StepFailure ? withUsage(error, tally.usage()) : error
    }
  }
}

function fillPrompts(run: StepRun<AiPromptStep>): {
  readonly prompt: string
  readonly system: string | undefined
} {
  const { step, scope } = run
  const prompt = fillText(step.prompt, scope)
  const system = fillText(step.ai_options?.system_prompt ?? '', scope)
  takeNoteOfMissing(run, [...new Set([...prompt.missing, ...system.missing])])
  return { prompt: prompt.value, system: system.value === '' ? undefined : system.value }
}

type Operation = NonNullable<AiPromptStep['post_processing']>[number]

interface ProcessOptions {
  /** The language the text should be in: its tag, or its name in English. */
  readonly language: string | undefined
  readonly signal: AbortSignal
}

interface Processed {
  readonly value: unknown
  /** What is told about it. */
  readonly told: Readonly<Record<string, unknown>>
}

/** Sentences that a summary keeps. */
const summarySentences = 5

/** Applies operations one after the other. Throws VALIDATION_FAILED for a text that is not what an operation needs. */
async function postProcess(
  answer: unknown,
  operations: readonly Operation[],
  options: ProcessOptions,
): Promise<{ readonly output: unknown; readonly applied: readonly Readonly<Record<string, unknown>>[] }> {
  const applied: Readonly<Record<string, unknown>>[] = []
  let output = answer
  for (const operation of operations) {
    const { value, told } = await apply(operation, output, options)
    output = value
    applied.push({ operation: operation.operation, ...told })
  }
  return { output, applied }
}

/** Whether the answer itself is to be JSON: it is turned into JSON before anything makes a text of it. */
function wantsJson({ post_processing: operations = [], validation = {} }: AiPromptStep): boolean {
  const shaping = operations.find(({ operation }) => operation !== 'quality_check')
  if (shaping?.operation === 'format' && shaping.format === 'json') return true
  return shaping === undefined && (validation.required_fields ?? []).length > 0
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
  if (wanted === 'json') return { value: jsonOf(value), told: { format: wanted } }
  const { text, headings, charts } = await formatText(textOf(value), {
    format: wanted,
    withContents: include_toc,
    withCharts: add_charts,
    signal,
  })
  return {
    value: text,
    told: { format: wanted, ...(include_toc && { toc_entries: headings }), ...(add_charts && { charts }) },
  }
}

/** The whole answer, read as JSON. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [found] = findJson(value)
  if (found === undefined) throw notAsNeeded('json', 'JSON', value)
  return found.value
}

function extractJson(value: unknown): Processed {
  if (typeof value !== 'string') return { value, told: {} }
  const found = findJson(value).find((json) => typeof json.value === 'object' && json.value !== null)
  if (found === undefined) throw notAsNeeded('extract_json', 'an object or a list in JSON', value)
  return { value: found.value, told: {} }
}

async function checkQuality(
  { checks, min_quality_score }: Operation,
  value: unknown,
  { language, signal }: ProcessOptions,
): Promise<Processed> {
  const { score, checks: judged } = await judgeQuality(textOf(value), { checks, language, signal })
  const told = { score, checks: judged }
  const expected = min_quality_score === undefined ? undefined : asScore(min_quality_score)
  if (expected !== undefined && (score === null || score < expected)) {
    throw new StepFailure({
      code: 'VALIDATION_FAILED',
      message: `The quality of the text is ${score ?? 'nothing that can be measured'}, and ${expected} is expected: ${judged.map(({ check, why }) => `${check}: ${why}`).join('; ')}`,
      details: { failed_checks: [{ check: 'min_quality_score', expected, found: score }], quality: told },
    })
  }
  return { value, told }
}

async function summarise(value: unknown, { signal }: ProcessOptions): Promise<Processed> {
  const text = textOf(value)
  const { summary } = await analyseText(text, { maxSummarySentences: summarySentences, signal })
  // A text without a sentence is its own summary.
  return { value: summary.length === 0 ? text : summary.join(' '), told: { sentences: summary.length } }
}

const maxTextLength = 1024 * 1024

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : describeValue(value)
  if (text.length <= maxTextLength) return text
  throw new StepFailure({
    code: 'INVALID_STEP',
    message: `The answer has ${text.length} characters; post_processing takes ${maxTextLength} at most.`,
    details: { characters: text.length, most: maxTextLength },
  })
}

const maxExcerptLength = 500

function notAsNeeded(check: string, expected: string, value: unknown): StepFailure {
  return new StepFailure({
    code: 'VALIDATION_FAILED',
    message: `The answer is not what the step asks for: ${expected} is expected, and there is none in it.`,
    details: {
      failed_checks: [{ check, expected, found: 'text' }],
      output: asText(value).slice(0, maxExcerptLength),
    },
  })
}
