import { judgeQuality } from '#engine'
import { analyseText } from '#models'
import { addressesIn } from '../analysers/links.ts'
import { numbersIn } from '../analysers/numbers.ts'
import type { CheckWish } from '../definition.ts'
import type { CheckName } from './kinds.ts'
import { isLanguage } from './languages.ts'
import { textsIn, valuesAt } from './texts-at.ts'

/** What an output is held against. */
export interface Held {
  readonly output: unknown
  readonly input: string
  /** What else the agent was told: numbers may come from there. */
  readonly asked: string
  /** The code of the language of the input; null when nobody is sure. */
  readonly inputLanguage: string | null
  readonly parameters: Readonly<Record<string, string | number | boolean>>
  readonly analysis: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

export interface CheckResult {
  readonly check: CheckName
  readonly field: string | null
  /** Null: it could not be judged. */
  readonly passed: boolean | null
  readonly expected: unknown
  readonly found: unknown
  readonly on_failure: 'fail' | 'warn'
}

type Verdict = Pick<CheckResult, 'passed' | 'expected' | 'found'>

const mostShown = 20

/** Holds an output against every check, in their order. */
export async function runChecks(checks: readonly CheckWish[], held: Held): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const wish of checks) {
    const texts = textsIn(valuesAt(held.output, wish.field))
    const verdict = await judges[wish.check](wish, { ...held, texts, text: texts.join('\n') })
    const { check, field = null, on_failure = 'fail' } = wish
    results.push({ check, field: field ?? wish.fields?.join(', ') ?? null, ...verdict, on_failure })
  }
  return results
}

interface Judged extends Held {
  /** What the check is about: the texts of its field. */
  readonly texts: readonly string[]
  readonly text: string
}

type Judge = (wish: CheckWish, judged: Judged) => Verdict | Promise<Verdict>

const judges: Readonly<Record<CheckName, Judge>> = {
  min_length({ least = 0 }, { text }) {
    return { passed: text.length >= least, expected: least, found: text.length }
  },

  max_length({ most = 0 }, { texts }) {
    const longest = Math.max(0, ...texts.map((text) => text.length))
    return { passed: longest <= most, expected: most, found: longest }
  },

  not_longer_than_input({ within = 1 }, { text, input }) {
    const most = Math.floor(input.length * within)
    return { passed: text.length <= most, expected: most, found: text.length }
  },

  async min_quality({ least = 0 }, { text, signal }) {
    const { score } = await judgeQuality(text, { signal })
    return { passed: score === null ? null : score >= least, expected: least, found: score }
  },

  async same_language(_wish, { text, inputLanguage, signal }) {
    const found = await languageOf(text, signal)
    const judged = inputLanguage !== null && found !== null
    return {
      passed: judged ? found.code === inputLanguage : null,
      expected: inputLanguage,
      found: found?.code ?? null,
    }
  },

  async language_is({ parameter = '' }, { text, parameters, signal }) {
    const expected = String(parameters[parameter] ?? '')
    const found = await languageOf(text, signal)
    const judged = expected !== '' && found !== null
    return { passed: judged ? isLanguage(expected, found) : null, expected, found: found?.code ?? null }
  },

  keeps_numbers(_wish, { text, input }) {
    return keeps([...numbersIn(input)], numbersIn(text))
  },

  no_new_numbers(_wish, { text, input, asked }) {
    const known = new Set([...numbersIn(input), ...numbersIn(asked)])
    const added = [...numbersIn(text)].filter((number) => !known.has(number))
    return { passed: added.length === 0, expected: [], found: added.slice(0, mostShown) }
  },

  keeps_links(_wish, { text, input }) {
    return keeps(addressesIn(input), new Set(addressesIn(text)))
  },

  quotes_input(_wish, { texts, input }) {
    const plain = plainly(input)
    const foreign = texts.filter((text) => !plain.includes(plainly(text)))
    return {
      passed: foreign.length === 0,
      expected: 'texts that stand in the input',
      found: foreign.slice(0, mostShown).map((text) => text.slice(0, 200)),
    }
  },

  required_fields({ fields = [] }, { output }) {
    const missing = fields.filter((field) => !valuesAt(output, field).some(saysSomething))
    return {
      passed: missing.length === 0,
      expected: fields,
      found: fields.filter((it) => !missing.includes(it)),
    }
  },

  mentions({ parameter = '' }, { text, parameters }) {
    const expected = String(parameters[parameter] ?? '').trim()
    if (expected === '') return { passed: null, expected, found: null }
    const passed = plainly(text).includes(plainly(expected))
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

function keeps(wanted: readonly string[], found: ReadonlySet<string>): Verdict {
  const lost = wanted.filter((each) => !found.has(each))
  return {
    passed: lost.length === 0,
    expected: `all ${wanted.length} of the input`,
    found: lost.length === 0 ? 'all' : { lost: lost.slice(0, mostShown) },
  }
}

async function languageOf(text: string, signal: AbortSignal) {
  const { language } = await analyseText(text, { signal })
  return language?.reliable === true ? language : null
}

/** The same words, however they are spaced, stressed and quoted. */
function plainly(text: string): string {
  return text
    .replaceAll(/[*_`"'’‘“”…]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  return Array.isArray(value) ? value.length > 0 : true
}
