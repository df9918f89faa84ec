import { analyseText, type TextAnalysis } from '#models'
import type { AnalyserWish } from '../definition.ts'
import { findCompliance } from './compliance.ts'
import { findFacts } from './facts.ts'
import { fromAnalysis } from './from-analysis.ts'
import type { AnalyserName } from './kinds.ts'
import { findLinks, findMarkup } from './links.ts'
import { findPersonalData } from './personal-data.ts'
import type { Finding, Subject } from './subject.ts'
import { convert, findData, findMeta, findRepetition } from './writing.ts'

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
const mostSentences = 20

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
    return Number.isNaN(wanted) ? wish?.most : Math.min(Math.max(wanted, 1), mostSentences)
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
