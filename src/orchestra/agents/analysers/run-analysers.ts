import { disabledTracing, type Tracing } from '#kernel/telemetry'
import { analyseText, type TextAnalysis } from '#models'
import type { AnalyserOptions } from '../definition.ts'
import { findFacts } from './facts.ts'
import {
  excerptOf,
  type Finding,
  fromAnalysis,
  type Issue,
  maxIssues,
  outcomeOf,
  type Subject,
} from './findings.ts'
import type { AnalyserName } from './kinds.ts'
import { convert, findData, findLinks, findMarkup, findMeta, findRepetition } from './links.ts'

interface PersonalDatum {
  readonly kind: 'email' | 'phone' | 'iban' | 'card'
  /** Mostly hidden: a report about personal data must not disclose them. */
  readonly masked: string
}

const email = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}/g
const phone = /(?<![\w.])\+\d{1,3}[ \-./()\d]{7,20}\d(?!\w)/g
const ibanStart = /\b[A-Z]{2}\d{2}/g
/** 34 characters, and a space after every four. */
const maxIbanLength = 42
/** Bounds the work on a text with many possible starts of an IBAN. */
const maxStarts = 2000
const card = /\b(?:\d[ -]?){12,18}\d\b/g

/** E-mail addresses, phone numbers, IBANs and card numbers. IBANs and card numbers must have valid check digits. */
export function personalDataIn(text: string): PersonalDatum[] {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([found]) => found.trim())
  const found: PersonalDatum[] = [
    ...all(email).map((it) => ({ kind: 'email' as const, masked: it.replace(/^(.).*@/, '$1…@') })),
    ...ibansIn(text).map((it) => ({ kind: 'iban' as const, masked: ends(it) })),
    ...all(card)
      .filter(isCard)
      .map((it) => ({ kind: 'card' as const, masked: ends(it) })),
    ...all(phone).map((it) => ({ kind: 'phone' as const, masked: ends(it) })),
  ]
  const byName = new Map(found.map((datum) => [`${datum.kind} ${datum.masked}`, datum]))
  return [...byName.values()].slice(0, maxIssues)
}

function findPersonalData({ text }: Subject): Finding {
  const findings = personalDataIn(text)
  return { count: findings.length, kinds: [...new Set(findings.map(({ kind }) => kind))], findings }
}

function ends(text: string): string {
  return `${text.slice(0, 4)}…${text.slice(-2)}`
}

/** IBANs with their spaces. The text after an IBAN may look like a part of it, so the longest piece with valid check digits is taken. */
function ibansIn(text: string): string[] {
  return [...text.matchAll(ibanStart).take(maxStarts)].flatMap(({ index }) => {
    const [piece = ''] = /^[A-Z0-9]+(?: [A-Z0-9]+){0,12}/.exec(text.slice(index, index + maxIbanLength)) ?? []
    const stops = [...piece.matchAll(/(?<=[A-Z0-9])(?= |$)/g)].map((end) => end.index)
    const found = stops.toReversed().find((end) => isIban(piece.slice(0, end)))
    return found === undefined ? [] : [piece.slice(0, found)]
  })
}

/** ISO 13616: the rearranged number modulo 97 must be 1. */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  if (plain.length < 15 || plain.length > 34) return false
  const digits = Array.from(`${plain.slice(4)}${plain.slice(0, 4)}`)
    .map((sign) => (/\d/.test(sign) ? sign : String(sign.charCodeAt(0) - 55)))
    .join('')
  return BigInt(digits) % 97n === 1n
}

/** The Luhn check; a repeated digit is no card number. */
function isCard(text: string): boolean {
  const digits = Array.from(text.replaceAll(/\D/g, ''), Number)
  if (digits.length < 13 || new Set(digits).size === 1) return false
  const total = digits.toReversed().reduce((sum, digit, index) => {
    if (index % 2 === 0) return sum + digit
    return sum + (digit > 4 ? digit * 2 - 9 : digit * 2)
  }, 0)
  return total % 10 === 0
}

/** Placeholders in unfinished texts. */
const unfinished =
  /\b(?:lorem ipsum|TODO|FIXME|TBD|XXX|insert [a-z ]{1,30} here|your (?:company|name) here)\b|\[(?:insert|add|placeholder|your|company|name)[^\]\n]{0,40}\]|\{\{[^{}\n]{1,80}\}\}/gi

/** Claims that need proof, in English and German. */
const claims =
  /\b(?:guaranteed?|100 ?%|risk[- ]free|no risk|always works|never fails|the best|number one|#1|world['’]s (?:best|first|leading)|cures?|miracle|instantly|unbeatable|completely safe|garantiert|risikofrei|die besten?|weltbeste[rns]?|heilt|wunder|absolut sicher)\b/giu

const aroundChars = 60

/** Passages to review before publication: personal data, unfinished text and claims that need proof. */
function findCompliance({ text }: Subject): Finding {
  const issues: Issue[] = [
    ...personalDataIn(text).map(
      ({ kind, masked }): Issue => ({
        rule: 'personal_data',
        severity: kind === 'email' || kind === 'phone' ? 'medium' : 'high',
        excerpt: masked,
        message: `It has what looks like ${named[kind]}.`,
      }),
    ),
    ...issuesOf(text, unfinished, 'unfinished', 'high', 'It has an unfinished passage.'),
    ...issuesOf(text, claims, 'claim', 'medium', 'It makes a claim that needs proof.'),
  ]
  const shown = issues.slice(0, maxIssues)
  return {
    verdict: outcomeOf(issues),
    count: issues.length,
    findings: shown,
    rules: [...new Set(issues.map(({ rule }) => rule))],
  }
}

const named = {
  email: 'an e-mail address',
  phone: 'a telephone number',
  iban: 'the number of a bank account',
  card: 'the number of a payment card',
} as const

function issuesOf(
  text: string,
  pattern: RegExp,
  rule: string,
  severity: Issue['severity'],
  message: string,
): Issue[] {
  return [...text.matchAll(pattern)].slice(0, maxIssues).map(({ 0: found, index }) => ({
    rule,
    severity,
    excerpt: excerptOf(text.slice(Math.max(0, index - aroundChars), index + found.length + aroundChars)),
    message: `${message.slice(0, -1)}: "${excerptOf(found)}".`,
  }))
}

type Parameters = Readonly<Record<string, string | number | boolean>>

/** Results by the name of the analyser. */
export type Findings = Readonly<Partial<Record<AnalyserName, Finding>>>

const analysers: Readonly<Record<AnalyserName, (subject: Subject) => Finding | Promise<Finding>>> = {
  ...fromAnalysis,
  links: findLinks,
  markup: findMarkup,
  facts: findFacts,
  personal_data: findPersonalData,
  compliance: findCompliance,
  repetition: findRepetition,
  meta: findMeta,
  data: findData,
  converted: convert,
}

const defaultLimits = { summary: 3, key_phrases: 10 } as const
const maxSentences = 20

interface Analysed {
  readonly findings: Findings
  readonly analysis: TextAnalysis
}

/** Runs analysers on an input. The text is analysed once for all of them. */
export async function runAnalysers(
  text: string,
  requested: readonly AnalyserOptions[],
  options: {
    readonly parameters: Parameters
    readonly signal: AbortSignal
    /** Default: no traces. */
    readonly tracing?: Tracing
  },
): Promise<Analysed> {
  const { parameters, signal, tracing = disabledTracing() } = options
  const optionsFor = (name: AnalyserName) => requested.find(({ analyser }) => analyser === name)
  const parameterOf = ({ parameter }: AnalyserOptions) =>
    parameter === undefined ? '' : String(parameters[parameter] ?? '').trim()
  const countOf = (given: AnalyserOptions | undefined) => {
    const count = given === undefined ? Number.NaN : Number.parseInt(parameterOf(given), 10)
    return Number.isNaN(count) ? given?.most : Math.min(Math.max(count, 1), maxSentences)
  }
  const seo = optionsFor('seo')
  const keyword = seo === undefined ? '' : parameterOf(seo)
  const analysis = await analyseText(text, {
    maxSummarySentences: countOf(optionsFor('summary')) ?? defaultLimits.summary,
    maxKeyPhrases: optionsFor('key_phrases')?.most ?? defaultLimits.key_phrases,
    signal,
    ...(keyword !== '' && { keyword }),
  })
  const findings: Partial<Record<AnalyserName, Finding>> = {}
  for (const given of requested) {
    const subject = { text, analysis, parameter: parameterOf(given), signal }
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': given.analyser,
      'gen_ai.tool.type': 'function',
    }
    findings[given.analyser] = await tracing.span(`execute_tool ${given.analyser}`, { attributes }, () =>
      analysers[given.analyser](subject),
    )
  }
  return { findings, analysis }
}

/** The share of analysers that could measure their input. */
export function measuredShare(findings: Findings): number {
  const all = Object.values(findings)
  if (all.length === 0) return 1
  const measured = all.filter(({ reason }) => reason === undefined || reason === null).length
  return measured / all.length
}
