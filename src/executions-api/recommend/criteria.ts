import type { Warning } from '../problems.ts'
import { dollars, seconds } from '../units.ts'

export const qualityLevels = ['draft', 'standard', 'high', 'premium'] as const
export type QualityLevel = (typeof qualityLevels)[number]

/** The points of 100 that a level requires. The engine requires the same of texts at `high` and `premium`. */
export const qualityPoints: Readonly<Record<QualityLevel, number>> = {
  draft: 0,
  standard: 50,
  high: 60,
  premium: 75,
}

export const riskTolerances = ['low', 'medium', 'high'] as const
export type RiskTolerance = (typeof riskTolerances)[number]

export const priorityNames = ['quality', 'cost', 'speed', 'balanced'] as const
export type Priority = (typeof priorityNames)[number]

/** The limits and preferences of every recommendation request. Money in micro-dollars, times in milliseconds. */
export interface Limits {
  readonly maxCost: number | undefined
  /** Each limit on time by its name in the request. */
  readonly timeBounds: readonly { readonly name: string; readonly ms: number }[]
  readonly minConfidence: number | undefined
  readonly providers: readonly string[]
  readonly qualityLevel: QualityLevel | undefined
  readonly prioritize: Priority
  readonly explain: boolean
}

/** The tightest limit on time; null when there is none. */
export function timeAvailable({ timeBounds }: Pick<Limits, 'timeBounds'>): number | null {
  return timeBounds.length === 0 ? null : Math.min(...timeBounds.map(({ ms }) => ms))
}

interface Estimate {
  readonly cost: { readonly value: number | null }
  readonly duration: { readonly value: number | null }
}

/** The limits on cost and time that a candidate exceeds. An unknown cost or duration exceeds none. */
export function exceededLimits(
  { cost, duration }: Estimate,
  { maxCost, timeBounds }: Pick<Limits, 'maxCost' | 'timeBounds'>,
): string[] {
  return [
    ...(maxCost === undefined || cost.value === null || cost.value <= maxCost
      ? []
      : [`max_cost: it costs about $${dollars(cost.value)}, and $${maxCost / 1e6} are allowed.`]),
    ...timeBounds.flatMap(({ name, ms }) => {
      if (ms === 0) return [`${name}: it is over.`]
      if (duration.value === null || duration.value <= ms) return []
      return [`${name}: it takes about ${seconds(duration.value)} s, and there are ${seconds(ms)} s.`]
    }),
  ]
}

/** The reason to exclude a candidate with this confidence; empty when it is not excluded. */
export function tooUncertain(confidence: number, { minConfidence }: Pick<Limits, 'minConfidence'>): string[] {
  if (minConfidence === undefined || confidence >= minConfidence) return []
  return [
    `min_confidence: it is recommended with a confidence of ${confidence}, and ${minConfidence} is asked for.`,
  ]
}

/** A score of a request as points of 100: up to 1 it is a share. */
export function asPoints(score: number | undefined): number | undefined {
  return score !== undefined && score <= 1 ? score * 100 : score
}

const charactersPerToken = 4

/** About how many tokens a text of this length has. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / charactersPerToken)
}

interface LanguageModel {
  readonly available: boolean
  readonly capabilities: readonly string[]
  readonly contextLength: number | null
}

/** Whether a model is available for completions of this size; null: the size is unknown. */
export function canComplete(
  { available, capabilities, contextLength }: LanguageModel,
  tokens: { readonly input: number; readonly output: number } | null,
): boolean {
  const fits = tokens === null || contextLength === null || tokens.input + tokens.output <= contextLength
  return available && fits && (capabilities.length === 0 || capabilities.includes('completion'))
}

/** Looks every name up once: many steps and agents name the same few models. */
export function rememberLookups<Found>(
  find: (name: string) => Promise<Found>,
): (name: string) => Promise<Found> {
  const lookups = new Map<string, Promise<Found>>()
  return (name) => {
    const lookup = lookups.get(name) ?? find(name)
    lookups.set(name, lookup)
    return lookup
  }
}

/** A model of the catalogue, as far as its provider matters. */
interface OfferedModel {
  readonly provider: string
  readonly model: { readonly available: boolean }
}

interface ProviderPreference {
  readonly preferred: readonly string[]
  /** The models that would run the recommended flows or agents. */
  readonly selected: readonly (OfferedModel | undefined)[]
  readonly catalogue: readonly OfferedModel[]
  /** All providers the platform supports. */
  readonly providerNames: readonly string[]
}

/** Warns about preferred providers that no recommendation would use, with the reason. */
export function warnOfUnusedProviders({ preferred, selected, ...market }: ProviderPreference): Warning[] {
  const used = new Set(selected.flatMap((offered) => offered?.provider ?? []))
  return [...new Set(preferred)]
    .filter((name) => !used.has(name))
    .map((name) => ({
      type: 'preferred_provider_not_used',
      message: `preferred_providers: nothing that is recommended would be answered by "${name}": ${reasonFor(name, market)}.`,
      step: null,
      threshold: null,
      actual: null,
    }))
}

function reasonFor(
  name: string,
  { catalogue, providerNames }: Pick<ProviderPreference, 'catalogue' | 'providerNames'>,
): string {
  if (!providerNames.includes(name))
    return `there is no such provider (there are ${providerNames.join(', ')})`
  const models = catalogue.filter(({ provider }) => provider === name)
  if (models.length === 0) return 'it has no models here, because it is not configured or does not answer'
  if (!models.some(({ model }) => model.available)) return 'none of its models is available now'
  return 'other models are named, or answer by default'
}

/** Languages known by code and by English name. */
const codes =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv ta th tr uk ur vi zh'.split(
    ' ',
  )
const names = new Intl.DisplayNames(['en'], { type: 'language' })
const codeByName = new Map(
  codes.flatMap((code) => [[code, code] as const, [names.of(code)?.toLowerCase(), code] as const]),
)

/** The code of a language given as a code, with or without a region, or as a name; undefined for an unknown one. */
export function languageCodeOf(text: string): string | undefined {
  const word = text.trim().toLowerCase()
  return codeByName.get(word) ?? codeByName.get(word.split(/[-_]/)[0])
}

/** Words without meaning for the topic of a text. */
const stopWords = new Set(
  'a an and are as at be by for from in into is it of on or that the this to up with your our their its content text flow workflow'.split(
    ' ',
  ),
)

/** The words of a text without stop words, stemmed: `Articles` and `article` are the same. */
export function wordsOf(text: string): string[] {
  return [
    ...text
      .normalize('NFKC')
      .toLowerCase()
      .matchAll(/[\p{L}\p{N}]+/gu),
  ]
    .map(([word]) => stem(word))
    .filter((word) => !stopWords.has(word))
}

/** The share of the words of a text that are in the set, from 0 to 1; null when the text has only stop words. */
export function shareIn(text: string, words: ReadonlySet<string>): number | null {
  const wanted = [...new Set(wordsOf(text))]
  if (wanted.length === 0) return null
  return wanted.filter((word) => words.has(word)).length / wanted.length
}

/** Removes plural endings only: more would join different words. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1)
  return word
}
