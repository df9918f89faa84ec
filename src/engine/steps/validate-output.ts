import { JsonText, plainValue } from '#kernel/json-text'
import { findJson } from '#models'
import { callsModels, type Step } from '../definition/step-types.ts'
import { asText, lookUp } from '../expressions/paths.ts'
import { asScore, scoreQuality } from './ai-prompt/quality.ts'
import { StepFailure } from './step-failure.ts'
import type { StepResult, StepRun } from './step-run.ts'

/** A check that an output did not pass. */
interface FailedCheck {
  readonly check: string
  readonly expected: unknown
  readonly found: unknown
}

const maxExcerptLength = 500

/** Scores the result and checks its output. Throws VALIDATION_FAILED when a check of the step fails. */
export async function validateOutput(
  { step, rules, signal }: Pick<StepRun, 'step' | 'rules' | 'signal'>,
  given: StepResult,
): Promise<StepResult> {
  const callsModel = callsModels(step)
  const { validation = {} } = step
  const output = mayBeRead(given.output, validation) ? plainValue(given.output) : given.output
  const result = { ...given, confidence: given.confidence ?? confidenceIn(output) }
  const wantsQuality = callsModel || validation.quality_threshold !== undefined
  const quality =
    wantsQuality && typeof output === 'string' && result.quality === null
      ? (await scoreQuality(output, { signal })).score
      : result.quality
  const minQuality = callsModel ? rules.minQuality : null
  requireChecks({ ...result, quality }, [
    ...checkLength(output, validation.min_length),
    ...checkSections(output, validation.required_sections ?? []),
    ...checkFields(output, validation.required_fields ?? []),
    ...checkQuality(quality, validation.quality_threshold),
    // The minimum quality of the execution applies to texts that can be scored, not to labels of a few words.
    ...(minQuality !== null && quality !== null ? checkQuality(quality, minQuality) : []),
  ])
  return { ...result, quality }
}

/** Whether a check looks into the output. Large texts are parsed for those alone. */
function mayBeRead(output: unknown, validation: NonNullable<Step['validation']>): boolean {
  if (!(output instanceof JsonText)) return true
  const statesConfidence = /^\s*\{/.test(output.text) && output.text.includes('"confidence"')
  return statesConfidence || Object.keys(validation).length > 0
}

/** Throws VALIDATION_FAILED when the confidence of the response or of the decision is below the minimum of the step. */
export function validateConfidence({ validation = {} }: Step, result: StepResult): void {
  const { min_confidence: expected } = validation
  if (expected === undefined) return
  const measured = [result.confidence, result.decision?.confidence ?? null].filter((it) => it !== null)
  const found = measured.length === 0 ? null : Math.min(...measured)
  if (found === null || found < expected)
    requireChecks(result, [{ check: 'min_confidence', expected, found }])
}

function requireChecks({ output, usage }: StepResult, failed: readonly FailedCheck[]): void {
  if (failed.length === 0) return
  throw new StepFailure({
    code: 'VALIDATION_FAILED',
    message: `The output failed the validation of the step: ${failed.map(describe).join('; ')}.`,
    details: { failed_checks: failed, output: asText(output).slice(0, maxExcerptLength) },
    usage,
  })
}

function describe({ check, expected, found }: FailedCheck): string {
  return `${check} is ${found === null ? 'unknown' : asText(found)}, expected ${asText(expected)}`
}

function checkLength(output: unknown, expected: number | undefined): FailedCheck[] {
  if (expected === undefined) return []
  const found = asText(output).length
  return found < expected ? [{ check: 'min_length', expected, found }] : []
}

function checkQuality(found: number | null, threshold: number | undefined): FailedCheck[] {
  if (threshold === undefined) return []
  const expected = asScore(threshold)
  return found === null || found < expected ? [{ check: 'quality_threshold', expected, found }] : []
}

function checkSections(output: unknown, expected: readonly string[]): FailedCheck[] {
  if (expected.length === 0) return []
  const found = sectionsOf(output)
  const known = new Set(found.map(plainName))
  const isComplete = expected.every((section) => known.has(plainName(section)))
  return isComplete ? [] : [{ check: 'required_sections', expected, found }]
}

const maxSections = 500

const maxNameLength = 200

/** Headings of Markdown and HTML, and lines in bold, which models often use as headings. */
const heading = /^ {0,3}#{1,6}[ \t]+(.+)$|^[ \t]*(?:\*\*|__)([^*_\n]{1,200})(?:\*\*|__):?[ \t]*$/gm

const htmlHeading = /<h[1-6]\b[^<>]{0,500}>([^<>]{1,500})<\/h[1-6]>/gi

const underlined = /^([^\n]{1,200})\n(?:={3,}|-{3,})[ \t]*$/gm

/** Headings of a text, or keys of an object. */
function sectionsOf(output: unknown): string[] {
  if (typeof output !== 'string') return isObject(output) ? Object.keys(output).slice(0, maxSections) : []
  return [heading, htmlHeading, underlined]
    .flatMap((pattern) => [...output.matchAll(pattern)].slice(0, maxSections))
    .map(([, first, second]) => (first ?? second ?? '').replace(/[ \t]#+[ \t]*$/, '').trim())
}

/** The name of a section without numbering, emphasis and letter case. */
function plainName(section: string): string {
  return section
    .slice(0, maxNameLength)
    .replaceAll(/[*_`#]/g, ' ')
    .replace(/^\s*\d{1,3}(?:\.\d{1,3})*[.):]?\s+/, '')
    .replace(/\s*:?\s*$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** A field that is null counts as missing. */
function checkFields(output: unknown, expected: readonly string[]): FailedCheck[] {
  if (expected.length === 0) return []
  const value = typeof output === 'string' ? findJson(output)[0]?.value : output
  const memory = isObject(value) ? value : {}
  const inside = { memory, context: {}, steps: {} }
  const missing = expected.filter((path) => (lookUp(inside, path) ?? null) === null)
  if (missing.length === 0) return []
  return [{ check: 'required_fields', expected, found: expected.filter((path) => !missing.includes(path)) }]
}

/** The confidence that a JSON output states itself. */
function confidenceIn(output: unknown): number | null {
  const confidence = isObject(output) ? output['confidence'] : undefined
  return typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
