import { type Finding, round } from './finding.ts'

export interface TextLanguage {
  /** ISO 639-1. */
  readonly code: string
  /** In English. */
  readonly name: string
  /** `given` when the caller set the language. */
  readonly source: 'detected' | 'given'
  /** How well the text matches, from 0 to 1; not a probability. Null when given. */
  readonly confidence: number | null
  /** Whether there is enough text and no other language matches nearly as well. */
  readonly reliable: boolean
}

/** The detector reads only the start of a text, so it gets several samples. */
const maxSamples = 8
const sampleChars = 1000
/** The share of samples that must agree. */
const minAgreement = 2 / 3
/** The minimum difference between the scores of the two best languages. */
const minMargin = 0.02
const minLetters = 25

/** Detects the language of a text without markup. */
export async function detectLanguage(text: string): Promise<Finding<TextLanguage>> {
  const { eld } = await import('eld/extrasmall')
  const samples = samplesOf(text)
  const totals = new Map<string, number>()
  const reliable = new Map<string, number>()
  for (const sample of samples) {
    const found = eld.detect(sample)
    for (const [code, score] of Object.entries(found.getScores()))
      totals.set(code, (totals.get(code) ?? 0) + score)
    if (found.isReliable()) reliable.set(found.language, (reliable.get(found.language) ?? 0) + 1)
  }
  const [best, second] = [...totals].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  if (best === undefined) return { reason: 'The text contains no words of a known language.' }
  const [code, total] = best
  const margin = (total - (second?.[1] ?? 0)) / samples.length
  const agreed = (reliable.get(code) ?? 0) / samples.length
  const isReliable = agreed >= minAgreement && margin >= minMargin
  if (!isReliable && lettersOf(text, minLetters) < minLetters)
    return { reason: 'The text is too short to detect its language.' }
  const confidence = round(total / samples.length, 3)
  return { value: { ...describe(code), source: 'detected', confidence, reliable: isReliable } }
}

/** The language of a tag. Throws a RangeError for an invalid tag. */
export function givenLanguage(tag: string): TextLanguage {
  return { ...describe(codeOf(tag)), source: 'given', confidence: null, reliable: true }
}

function codeOf(tag: string): string {
  try {
    const { language } = new Intl.Locale(tag)
    return language === 'nb' || language === 'nn' ? 'no' : language
  } catch (cause) {
    throw new RangeError(`"${tag.slice(0, 40)}" is not a language tag such as "en" or "pt-BR".`, { cause })
  }
}

function describe(code: string): { readonly code: string; readonly name: string } {
  return { code, name: new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code }
}

function samplesOf(text: string): string[] {
  const count = Math.min(maxSamples, Math.max(1, Math.floor(text.length / sampleChars)))
  const step = Math.floor(text.length / count)
  return Array.from({ length: count }, (_, index) => text.slice(index * step, index * step + sampleChars))
}

function lettersOf(text: string, enough: number): number {
  let letters = 0
  for (const _ of text.slice(0, 10_000).matchAll(/\p{L}/gu)) {
    letters += 1
    if (letters === enough) break
  }
  return letters
}
