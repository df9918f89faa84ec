import type { DataTransformStep, mergeStrategies } from '../definition/step-types.ts'
import { megabytes } from '../execution/rules.ts'
import { asText, lookUp, type Scope } from '../expressions/paths.ts'
import { fillText, reportMissing } from '../expressions/templates.ts'
import { calculateMetrics, drawBars, numbersIn, type Source } from './calculate-metrics.ts'
import { withEvaluated } from './step-expressions.ts'
import { noUsage, StepFailure } from './step-failure.ts'
import { type StepResult, type StepRun } from './step-run.ts'
import { transformList } from './transform-list.ts'

type Transformation = DataTransformStep['transformations'][number]

/** Applies transformations one after the other. Each can use the output of the previous one as `previous`. */
export async function runDataTransform(run: StepRun<DataTransformStep>): Promise<StepResult> {
  const { step, scope } = run
  const applied: { operation: string; sources: string[]; items: number }[] = []
  const limits = createTransformLimits()
  let previous: unknown
  for (const transformation of step.transformations) {
    const seen: Scope = previous === undefined ? scope : { ...scope, memory: { ...scope.memory, previous } }
    const applying = applyOne(transformation, { run, scope: seen, previous, limits })
    const done = applying instanceof Promise ? await applying : applying
    previous = done.output
    limits.requireOutput(previous)
    applied.push({ operation: transformation.operation, sources: done.sources, items: done.items })
  }
  return {
    output: previous ?? null,
    confidence: null,
    quality: null,
    usage: noUsage,
    details: { transformations_applied: applied },
  }
}

interface TransformContext {
  readonly run: StepRun
  readonly scope: Scope
  readonly previous: unknown
  readonly limits: TransformLimits
}

interface AppliedTransformation {
  readonly output: unknown
  readonly sources: string[]
  readonly items: number
}

/** Only operations that may evaluate an expression return a promise: a pure step ends without waiting. */
function applyOne(
  transformation: Transformation,
  context: TransformContext,
): AppliedTransformation | Promise<AppliedTransformation> {
  const { run, scope, previous, limits } = context
  const { operation } = transformation
  if (!isOverSources(transformation)) return transformList(transformation, run, scope)
  const { sources, missing } = readSources(transformation, scope, previous)
  reportMissing(run, missing)
  limits.requireSources(sources)
  const applied = { sources: sources.map(({ name }) => name), items: sources.length }
  if (operation === 'merge') return { ...applied, output: mergeSources(sources, transformation) }
  if (operation === 'calculate_metrics')
    return { ...applied, output: calculateMetrics(sources, transformation) }
  return summarise(transformation, sources, context).then((output) => ({ ...applied, output }))
}

/** Whether an operation works on several named sources, and not on one list or text. */
function isOverSources({ operation }: Transformation): boolean {
  return operation === 'merge' || operation === 'calculate_metrics' || operation === 'generate_summary'
}

async function summarise(
  transformation: Transformation,
  sources: readonly Source[],
  { run, scope }: TransformContext,
): Promise<unknown> {
  const named = Object.fromEntries(sources.map(({ name, value }) => [name.split('.').at(-1) ?? name, value]))
  const seen: Scope = { ...scope, memory: { ...scope.memory, ...named } }
  const filled = await withEvaluated(run, transformation.template, seen)
  const { summary, missing } = generateSummary(sources, transformation, filled)
  reportMissing(run, missing)
  return summary
}

/** The named sources; else the output of the previous transformation; else all keys of the shared memory. */
function readSources(
  { sources }: Transformation,
  scope: Scope,
  previous: unknown,
): { readonly sources: Source[]; readonly missing: string[] } {
  if (sources === undefined && previous !== undefined)
    return { sources: [{ name: 'previous', value: previous }], missing: [] }
  if (sources === undefined) {
    return { sources: Object.entries(scope.memory).map(([name, value]) => ({ name, value })), missing: [] }
  }
  const found = sources.map((name) => ({ name, value: lookUp(scope, name) }))
  return {
    sources: found.filter(({ value }) => value !== undefined),
    missing: found.filter(({ value }) => value === undefined).map(({ name }) => name),
  }
}

/** Limits of a transform step: fifty transformations in a row, each using the previous output several times, grow exponentially. */
interface TransformLimits {
  requireSources(sources: readonly Source[]): void
  requireOutput(output: unknown): void
}

const maxBytesOfSources = 64 * 1024 * 1024
/** The same as the limit of a step's output. */
const maxBytesOfOutput = 8 * 1024 * 1024

function createTransformLimits(): TransformLimits {
  /** The same value is often a source of several transformations: its size is computed once. */
  const known = new Map<object, number>()

  function sizeOf(value: unknown): number {
    if (typeof value === 'string') return Buffer.byteLength(value)
    if (typeof value !== 'object' || value === null) return 8
    const size = known.get(value) ?? Buffer.byteLength(JSON.stringify(value))
    known.set(value, size)
    return size
  }

  return {
    requireSources(sources) {
      const bytes = sources.reduce((sum, { value }) => sum + sizeOf(value), 0)
      if (bytes > maxBytesOfSources) throw tooLarge('sources of a transformation', bytes, maxBytesOfSources)
    },
    requireOutput(output) {
      const bytes = sizeOf(output)
      if (bytes > maxBytesOfOutput) throw tooLarge('output of a transformation', bytes, maxBytesOfOutput)
    },
  }
}

function tooLarge(what: string, bytes: number, limit: number): StepFailure {
  return new StepFailure({
    code: 'MEMORY_LIMIT_EXCEEDED',
    message: `The ${what} would take ${megabytes(bytes)}; the limit is ${megabytes(limit)}.`,
    details: { bytes, limit_bytes: limit },
  })
}

interface MergeOptions {
  readonly merge_strategy?: (typeof mergeStrategies)[number] | undefined
  readonly fields?: readonly string[] | undefined
}

type PlainObject = Readonly<Record<string, unknown>>

/** Merges sources into one value. On a conflict, the later source wins. */
function mergeSources(
  sources: readonly Source[],
  { merge_strategy = 'deep', fields }: MergeOptions,
): unknown {
  if (merge_strategy === 'first') {
    return (
      sources
        .map(({ value }) => pick(value, fields))
        .find((value) => value !== null && value !== undefined) ?? null
    )
  }
  if (merge_strategy === 'concat') {
    return sources
      .flatMap(({ value }) => (Array.isArray(value) ? value : [value]))
      .map((value: unknown) => pick(value, fields))
  }
  const join = merge_strategy === 'deep' ? joinDeep : joinShallow
  const merged = sources.map(asObject).reduce<PlainObject>((whole, part) => join(whole, part), {})
  return pick(merged, fields)
}

/** A value that is not an object is stored under the name of its source. */
function asObject({ name, value }: Source): PlainObject {
  return isObject(value) ? value : { [name.split('.').at(-1) ?? name]: value }
}

function joinShallow(left: PlainObject, right: PlainObject): PlainObject {
  return { ...left, ...right }
}

function joinDeep(left: PlainObject, right: PlainObject): PlainObject {
  // A map, because a key may have any name, also `__proto__`.
  const joined = new Map(Object.entries(left))
  for (const [key, value] of Object.entries(right)) {
    const before = joined.get(key)
    if (isObject(before) && isObject(value)) joined.set(key, joinDeep(before, value))
    else if (Array.isArray(before) && Array.isArray(value))
      joined.set(key, [...(before as unknown[]), ...(value as unknown[])])
    else joined.set(key, value)
  }
  return Object.fromEntries(joined)
}

function pick(value: unknown, fields: readonly string[] | undefined): unknown {
  if (fields === undefined || !isObject(value)) return value
  return Object.fromEntries(
    fields.filter((field) => Object.hasOwn(value, field)).map((field) => [field, value[field]]),
  )
}

function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface SummaryOptions {
  readonly template?: string | undefined
  readonly fields?: readonly string[] | undefined
  readonly include_visualizations?: boolean | undefined
}

const maxValueLength = 300

/** Summarises the sources as a text: the template, filled from a scope that has the sources by name, or else a list of their values. */
function generateSummary(
  sources: readonly Source[],
  { template, fields, include_visualizations: draws = false }: SummaryOptions,
  scope: Scope,
): { readonly summary: string; readonly missing: readonly string[] } {
  const { value: text, missing } =
    template === undefined ? { value: listOf(sources, fields), missing: [] } : fillText(template, scope)
  const chart = draws ? chartOf(sources, fields) : ''
  return { summary: chart === '' ? text : `${text}\n\n\`\`\`\n${chart}\n\`\`\``, missing }
}

function listOf(sources: readonly Source[], fields: readonly string[] | undefined): string {
  return sources
    .map(({ name, value }) => {
      const entries = entriesOf(value, fields)
      if (entries === undefined) return `**${name}**: ${shorten(asText(value))}`
      return [`**${name}**`, ...entries.map(([key, inner]) => `- ${key}: ${shorten(asText(inner))}`)].join(
        '\n',
      )
    })
    .join('\n\n')
}

function entriesOf(value: unknown, fields: readonly string[] | undefined): [string, unknown][] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (fields === undefined) return Object.entries(value)
  const inside: Scope = { memory: value as Record<string, unknown>, context: {}, steps: {} }
  return fields
    .map((field): [string, unknown] => [field, lookUp(inside, field)])
    .filter(([, inner]) => inner !== undefined)
}

function chartOf(sources: readonly Source[], fields: readonly string[] | undefined): string {
  const numbers = sources.flatMap(({ name, value }) =>
    [...numbersIn(value, fields)].map(([field, [first]]): [string, number] => [
      `${name}.${field}`,
      first?.value ?? 0,
    ]),
  )
  return drawBars(Object.fromEntries(numbers))
}

function shorten(text: string): string {
  return text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength)}…`
}
