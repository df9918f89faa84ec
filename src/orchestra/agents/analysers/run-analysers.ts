import { analyseText, type TextAnalysis } from '#models'
import type { AnalyserWish } from '../definition.ts'
import { findFacts } from './facts.ts'
import { fromAnalysis } from './from-analysis.ts'
import type { AnalyserName } from './kinds.ts'
import { findLinks, findMarkup } from './links.ts'
import { excerptOf, type Finding, maxSpots, type Spot, type Subject, verdictOf } from './subject.ts'
import { convert, findData, findMeta, findRepetition } from './writing.ts'

interface PersonalDatum {
  readonly kind: 'email' | 'phone' | 'iban' | 'card'
  /** With most of it hidden: a report about personal data must not spread them. */
  readonly masked: string
}

const email = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}/g
const phone = /(?<![\w.])\+\d{1,3}[ \-./()\d]{7,20}\d(?!\w)/g
const ibanStart = /\b[A-Z]{2}\d{2}/g
/** 34 signs, and a blank after every four. */
const maxIbanLength = 42
/** What begins like an account in a text that is made to look so. */
const maxStarts = 2000
const card = /\b(?:\d[ -]?){12,18}\d\b/g

/** Addresses, telephone numbers, accounts and cards. Accounts and cards have check digits, so a number that is none is not taken for one. */
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
  return [...byName.values()].slice(0, maxSpots)
}

function findPersonalData({ text }: Subject): Finding {
  const findings = personalDataIn(text)
  return { count: findings.length, kinds: [...new Set(findings.map(({ kind }) => kind))], findings }
}

function ends(text: string): string {
  return `${text.slice(0, 4)}…${text.slice(-2)}`
}

/** With its blanks. What stands behind one may look like more of it, so the longest piece whose check digits are right is taken. */
function ibansIn(text: string): string[] {
  return [...text.matchAll(ibanStart).take(maxStarts)].flatMap(({ index }) => {
    const [piece = ''] = /^[A-Z0-9]+(?: [A-Z0-9]+){0,12}/.exec(text.slice(index, index + maxIbanLength)) ?? []
    const stops = [...piece.matchAll(/(?<=[A-Z0-9])(?= |$)/g)].map((end) => end.index)
    const found = stops.toReversed().find((end) => isIban(piece.slice(0, end)))
    return found === undefined ? [] : [piece.slice(0, found)]
  })
}

/** ISO 13616: as a number, the account has to leave 1 when it is divided by 97. */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  if (plain.length < 15 || plain.length > 34) return false
  const digits = Array.from(`${plain.slice(4)}${plain.slice(0, 4)}`)
    .map((sign) => (/\d/.test(sign) ? sign : String(sign.charCodeAt(0) - 55)))
    .join('')
  return BigInt(digits) % 97n === 1n
}

/** Luhn, and not all the same digit. */
function isCard(text: string): boolean {
  const digits = Array.from(text.replaceAll(/\D/g, ''), Number)
  if (digits.length < 13 || new Set(digits).size === 1) return false
  const total = digits.toReversed().reduce((sum, digit, index) => {
    if (index % 2 === 0) return sum + digit
    return sum + (digit > 4 ? digit * 2 - 9 : digit * 2)
  }, 0)
  return total % 10 === 0
}

/** What is left standing in texts that were not finished. */
const unfinished =
  /\b(?:lorem ipsum|TODO|FIXME|TBD|XXX|insert [a-z ]{1,30} here|your (?:company|name) here)\b|\[(?:insert|add|placeholder|your|company|name)[^\]\n]{0,40}\]|\{\{[^{}\n]{1,80}\}\}/gi

/** Words that promise what nobody can prove. In English and German. */
const claims =
  /\b(?:guaranteed?|100 ?%|risk[- ]free|no risk|always works|never fails|the best|number one|#1|world['’]s (?:best|first|leading)|cures?|miracle|instantly|unbeatable|completely safe|garantiert|risikofrei|die besten?|weltbeste[rns]?|heilt|wunder|absolut sicher)\b/giu

const aroundChars = 60

/** What should not be published without a look: personal data, places that were not finished, promises that nobody can prove. */
function findCompliance({ text }: Subject): Finding {
  const spots: Spot[] = [
    ...personalDataIn(text).map(
      ({ kind, masked }): Spot => ({
        rule: 'personal_data',
        severity: kind === 'email' || kind === 'phone' ? 'medium' : 'high',
        excerpt: masked,
        message: `It has what looks like ${named[kind]}.`,
      }),
    ),
    ...spotsOf(text, unfinished, 'unfinished', 'high', 'It has a place that was not finished.'),
    ...spotsOf(text, claims, 'claim', 'medium', 'It makes a claim that needs proof.'),
  ]
  const shown = spots.slice(0, maxSpots)
  return {
    verdict: verdictOf(spots),
    count: spots.length,
    findings: shown,
    rules: [...new Set(spots.map(({ rule }) => rule))],
  }
}

const named = {
  email: 'an e-mail address',
  phone: 'a telephone number',
  iban: 'the number of a bank account',
  card: 'the number of a payment card',
} as const

function spotsOf(
  text: string,
  pattern: RegExp,
  rule: string,
  severity: Spot['severity'],
  message: string,
): Spot[] {
  return [...text.matchAll(pattern)].slice(0, maxSpots).map(({ 0: found, index }) => ({
    rule,
    severity,
    excerpt: excerptOf(text.slice(Math.max(0, index - aroundChars), index + found.length + aroundChars)),
    message: `${message.slice(0, -1)}: "${excerptOf(found)}".`,
  }))
}

type Parameters = Readonly<Record<string, string | number | boolean>>

/** What was measured, by the name of the analyser. */
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

const usually = { summary: 3, key_phrases: 10 } as const
const maxSentences = 20

interface Analysed {
  readonly findings: Findings
  readonly analysis: TextAnalysis
}

/** Measures an input. The text is read once, whatever is to be found. */
export async function runAnalysers(
  text: string,
  wishes: readonly AnalyserWish[],
  options: { readonly parameters: Parameters; readonly signal: AbortSignal },
): Promise<Analysed> {
  const { parameters, signal } = options
  const wishFor = (name: AnalyserName) => wishes.find(({ analyser }) => analyser === name)
  const parameterOf = ({ parameter }: AnalyserWish) =>
    parameter === undefined ? '' : String(parameters[parameter] ?? '').trim()
  const countOf = (wish: AnalyserWish | undefined) => {
    const wanted = wish === undefined ? Number.NaN : Number.parseInt(parameterOf(wish), 10)
    return Number.isNaN(wanted) ? wish?.most : Math.min(Math.max(wanted, 1), maxSentences)
  }
  const seo = wishFor('seo')
  const keyword = seo === undefined ? '' : parameterOf(seo)
  const analysis = await analyseText(text, {
    maxSummarySentences: countOf(wishFor('summary')) ?? usually.summary,
    maxKeyPhrases: wishFor('key_phrases')?.most ?? usually.key_phrases,
    signal,
    ...(keyword !== '' && { keyword }),
  })
  const findings: Partial<Record<AnalyserName, Finding>> = {}
  for (const wish of wishes) {
    const subject = { text, analysis, parameter: parameterOf(wish), signal }
    findings[wish.analyser] = await analysers[wish.analyser](subject)
  }
  return { findings, analysis }
}

/** The share of what was to be measured that could be. */
export function measuredShare(findings: Findings): number {
  const all = Object.values(findings)
  if (all.length === 0) return 1
  const measured = all.filter(({ reason }) => reason === undefined || reason === null).length
  return measured / all.length
}
