import { scoreQuality } from '#engine'
import { analyseText } from '#models'
import { addressesIn } from '../analysers/links.ts'
import type { CheckOptions } from '../definition.ts'
import type { CheckName } from './kinds.ts'

/** A number with the separators of any country; spaces only if they are non-breaking. */
const numberPattern = /\d+(?:[.,'’\u00a0\u202f]\d+)*/g

/**
 * The digits of each number, without separators: 1,234.5 and 1.234,5 are the same. Years and amounts count; a single digit does not,
 * as it may be spelled out as a word.
 */
export function numbersIn(text: string): ReadonlySet<string> {
  const digits = [...text.matchAll(numberPattern)].map(([found]) => found.replaceAll(/\D/g, ''))
  return new Set(digits.filter((found) => found.length > 1))
}

/** The output to check, and what it is compared with. */
export interface CheckInput {
  readonly output: unknown
  readonly input: string
  /** The instructions and parameters: numbers may come from there. */
  readonly asked: string
  /** The language code of the input; null when it is not reliable. */
  readonly inputLanguage: string | null
  readonly parameters: Readonly<Record<string, string | number | boolean>>
  readonly analysis: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

export interface CheckResult {
  readonly check: CheckName
  readonly field: string | null
  /** Null: the check could not decide. */
  readonly passed: boolean | null
  readonly expected: unknown
  readonly found: unknown
  readonly on_failure: 'fail' | 'warn'
}

type Outcome = Pick<CheckResult, 'passed' | 'expected' | 'found'>

const maxShown = 20

/** Runs all checks on an output, in their order. */
export async function runChecks(checks: readonly CheckOptions[], input: CheckInput): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const options of checks) {
    const texts = textsIn(valuesAt(input.output, options.field))
    const outcome = await checkers[options.check](options, { ...input, texts, text: texts.join('\n') })
    const { check, field = null, on_failure = 'fail' } = options
    results.push({ check, field: field ?? options.fields?.join(', ') ?? null, ...outcome, on_failure })
  }
  return results
}

interface CheckSubject extends CheckInput {
  /** The texts of the checked field. */
  readonly texts: readonly string[]
  readonly text: string
}

type Checker = (options: CheckOptions, subject: CheckSubject) => Outcome | Promise<Outcome>

const checkers: Readonly<Record<CheckName, Checker>> = {
  min_length({ least = 0 }, { text }) {
    return { passed: text.length >= least, expected: least, found: text.length }
  },

  max_length({ most = 0 }, { texts }) {
    const longest = Math.max(0, ...texts.map((text) => text.length))
    return { passed: longest <= most, expected: most, found: longest }
  },

  not_longer_than_input({ within = 1 }, { text, input }) {
    const maxLength = Math.floor(input.length * within)
    return { passed: text.length <= maxLength, expected: maxLength, found: text.length }
  },

  async min_quality({ least = 0 }, { text, signal }) {
    const { score } = await scoreQuality(text, { signal })
    return { passed: score === null ? null : score >= least, expected: least, found: score }
  },

  async same_language(_options, { text, inputLanguage, signal }) {
    const found = await languageOf(text, signal)
    const isKnown = inputLanguage !== null && found !== null
    return {
      passed: isKnown ? found.code === inputLanguage : null,
      expected: inputLanguage,
      found: found?.code ?? null,
    }
  },

  async language_is({ parameter = '' }, { text, parameters, signal }) {
    const expected = String(parameters[parameter] ?? '')
    const found = await languageOf(text, signal)
    const isKnown = expected !== '' && found !== null
    return { passed: isKnown ? isLanguage(expected, found) : null, expected, found: found?.code ?? null }
  },

  keeps_numbers(_options, { text, input }) {
    return keeps([...numbersIn(input)], numbersIn(text))
  },

  no_new_numbers(_options, { text, input, asked }) {
    const known = new Set([...numbersIn(input), ...numbersIn(asked)])
    const added = [...numbersIn(text)].filter((number) => !known.has(number))
    return { passed: added.length === 0, expected: [], found: added.slice(0, maxShown) }
  },

  keeps_links(_options, { text, input }) {
    return keeps(addressesIn(input), new Set(addressesIn(text)))
  },

  quotes_input(_options, { texts, input }) {
    const plainInput = normalise(input)
    const foreign = texts.filter((text) => !plainInput.includes(normalise(text)))
    return {
      passed: foreign.length === 0,
      expected: 'texts of the input',
      found: foreign.slice(0, maxShown).map((text) => text.slice(0, 200)),
    }
  },

  required_fields({ fields = [] }, { output }) {
    const missing = fields.filter((field) => !valuesAt(output, field).some(isPresent))
    return {
      passed: missing.length === 0,
      expected: fields,
      found: fields.filter((it) => !missing.includes(it)),
    }
  },

  mentions({ parameter = '' }, { text, parameters }) {
    const expected = String(parameters[parameter] ?? '').trim()
    if (expected === '') return { passed: null, expected, found: null }
    const passed = normalise(text).includes(normalise(expected))
    return { passed, expected, found: passed ? expected : null }
  },

  agrees_with({ field, finding, within = 0 }, { output, analysis }) {
    const [found] = valuesAt(output, field)
    const [measured] = valuesAt(analysis, finding)
    if (typeof measured !== 'number' || typeof found !== 'number') {
      return { passed: null, expected: measured ?? null, found: found ?? null }
    }
    return { passed: Math.abs(measured - found) <= within, expected: measured, found }
  },
}

function keeps(wanted: readonly string[], found: ReadonlySet<string>): Outcome {
  const lost = wanted.filter((each) => !found.has(each))
  return {
    passed: lost.length === 0,
    expected: `all ${wanted.length} of the input`,
    found: lost.length === 0 ? 'all' : { lost: lost.slice(0, maxShown) },
  }
}

async function languageOf(text: string, signal: AbortSignal) {
  const { language } = await analyseText(text, { signal })
  return language?.reliable === true ? language : null
}

/** The words without spacing, emphasis and quotes. */
function normalise(text: string): string {
  return text
    .replaceAll(/[*_`"'’‘“”…]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

function isPresent(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  return Array.isArray(value) ? value.length > 0 : true
}

/** Whether `de`, `de-AT`, `German` or `Deutsch` names this language. */
function isLanguage(
  written: string,
  { code, name }: { readonly code: string; readonly name: string },
): boolean {
  const asked = written.trim().toLowerCase()
  if (asked === name.toLowerCase() || asked.split(/[-_]/)[0] === code) return true
  return asked === ownNameOf(code)
}

/** The name of a language in that language. */
function ownNameOf(code: string): string | undefined {
  return new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code)?.toLowerCase()
}

/** All values at a path of an output, through lists. Without a path, the output itself. */
function valuesAt(output: unknown, path: string | undefined): unknown[] {
  if (path === undefined) return [output]
  return path
    .split('.')
    .reduce<unknown[]>((found, name) => found.flatMap((value) => [valueOf(value, name)].flat(1)), [output])
}

function valueOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => [valueOf(each, name)].flat(1))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  return (value as Record<string, unknown>)[name]
}

/** All texts in a value, at any depth. Numbers count as text. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
