import { analyseText, findJson } from '#models'
import type { AiPromptStep } from '../../definition/step-types.ts'
import { asText } from '../../expressions/template.ts'
import { StepFailure } from '../step-failure.ts'
import { describeValue } from './formatting/describe-value.ts'
import { formatText } from './formatting/format-text.ts'
import { asScore, judgeQuality } from './quality.ts'

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
export async function postProcess(
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
export function wantsJson({ post_processing: operations = [], validation = {} }: AiPromptStep): boolean {
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
export function jsonOf(value: unknown): unknown {
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

const longestText = 1024 * 1024

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : describeValue(value)
  if (text.length <= longestText) return text
  throw new StepFailure({
    code: 'INVALID_STEP',
    message: `The answer has ${text.length} characters; post_processing takes ${longestText} at most.`,
    details: { characters: text.length, most: longestText },
  })
}

const longestExcerpt = 500

function notAsNeeded(check: string, expected: string, value: unknown): StepFailure {
  return new StepFailure({
    code: 'VALIDATION_FAILED',
    message: `The answer is not what the step asks for: ${expected} is expected, and there is none in it.`,
    details: {
      failed_checks: [{ check, expected, found: 'text' }],
      output: asText(value).slice(0, longestExcerpt),
    },
  })
}
