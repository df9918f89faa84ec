import { criteria, scoreFactors, scoring, units } from '#executions-api'
import { type AgentDefinition, type Category, inputTypes } from '../agents/definition.ts'
import { type Alternative, alternativesOf, type Market } from './alternatives.ts'
import { type Candidate, type KnownAgent, usesModel, worksWithoutModel } from './candidate.ts'
import type { Requirements } from './requirements.ts'

export interface Recommendation {
  readonly candidate: Candidate
  readonly score: scoring.Score
  readonly alternatives: readonly Alternative[]
}

export interface Advice {
  /** The best first. */
  readonly recommendations: readonly Recommendation[]
  readonly excluded: readonly { readonly id: string; readonly reasons: readonly string[] }[]
  readonly suggestions: readonly Suggestion[]
  readonly warnings: ReturnType<typeof criteria.warnOfUnusedProviders>
}

const maxRecommended = 10

/** Unknown factors count for half: else agents that were never run would score best. */
const unknownScore = 0.5

/** Excludes agents that do not meet the requirements, and ranks the others. */
export function recommendAgents(
  candidates: readonly Candidate[],
  requirements: Requirements,
  market: Market,
): Advice {
  const vocabulary = new Set(candidates.flatMap(({ agent }) => [...agentWords(agent)]))
  const baseline = scoring.baselineOf(candidates, requirements)
  const { ranked, excluded } = scoring.rankCandidates(candidates, {
    idOf: ({ agent }) => agent.id,
    scoreOf: (candidate) =>
      scoring.scoreCandidate(candidate, {
        fit: fitFactors(candidate, requirements, vocabulary),
        success: scoreFactors.successFactor(candidate.record, { noun: 'runs', risk: requirements.risk }),
        limits: requirements,
        baseline,
        unknownScore,
      }),
    exclusionsOf: (candidate) => exclusionsOf(candidate, requirements),
    limits: requirements,
  })
  return {
    recommendations: ranked
      .slice(0, maxRecommended)
      .map((it) => ({ ...it, alternatives: alternativesOf(it.candidate, requirements, market) })),
    excluded,
    warnings: criteria.warnOfUnusedProviders({
      preferred: requirements.providers,
      selected: ranked.map(({ candidate }) => candidate.model),
      catalogue: market.catalogue,
      providerNames: market.providerNames,
    }),
    suggestions: suggestWorkflows(ranked),
  }
}

/** A combination of agents. Money in micro-dollars, times in milliseconds; null when one of them is unknown. */
interface Suggestion {
  readonly type: 'sequential' | 'parallel'
  readonly agents: readonly string[]
  readonly cost: number | null
  readonly ms: number | null
  /** The lowest confidence of its agents. */
  readonly confidence: number
}

interface Ranked {
  readonly candidate: Candidate
  readonly score: Pick<scoring.Score, 'confidence'>
}

const maxCombined = 3

/** Agents that change a text run before agents that check it. */
const order: readonly Category[] = ['transformation', 'content', 'seo', 'validation', 'analysis']

/** Agents that do not change the text can run in parallel. */
const readOnlyCategories: readonly Category[] = ['analysis', 'validation', 'seo']

/** One agent of each category in sequence, and the read-only agents in parallel. */
function suggestWorkflows(ranked: readonly Ranked[]): Suggestion[] {
  const sequence = bestOfEach(ranked, order)
    .slice(0, maxCombined)
    .toSorted((left, right) => positionOf(left) - positionOf(right))
  const parallel = bestOfEach(ranked, readOnlyCategories).slice(0, maxCombined)
  return [
    ...(sequence.length < 2 ? [] : [combine('sequential', sequence)]),
    ...(parallel.length < 2 ? [] : [combine('parallel', parallel)]),
  ]
}

function bestOfEach(ranked: readonly Ranked[], categories: readonly Category[]): readonly Ranked[] {
  const seen = new Set<Category>()
  return ranked.filter(({ candidate: { agent } }) => {
    if (!categories.includes(agent.category) || seen.has(agent.category)) return false
    seen.add(agent.category)
    return true
  })
}

function positionOf({ candidate }: Ranked): number {
  return order.indexOf(candidate.agent.category)
}

function combine(type: Suggestion['type'], ranked: readonly Ranked[]): Suggestion {
  const candidates = ranked.map(({ candidate }) => candidate)
  return {
    type,
    agents: candidates.map(({ agent }) => agent.id),
    ...scoring.combinedEstimate(candidates, type),
    confidence: Math.min(...ranked.map(({ score }) => score.confidence)),
  }
}

/** The requirements that an agent does not meet. Unknown values exclude no agent. */
export function exclusionsOf(candidate: Candidate, requirements: Requirements): string[] {
  return [
    ...isExcluded(candidate, requirements),
    ...unavailable(candidate),
    ...criteria.exceededLimits(candidate.estimate, requirements),
    ...wrongProvider(candidate, requirements),
    ...notGoodEnough(candidate, requirements),
    ...tooLong(candidate, requirements),
    ...unsupportedLanguage(candidate, requirements),
    ...unsupportedFormat(candidate, requirements),
  ]
}

/** The format in a content type, such as `html` in `HTML page`; undefined without one. */
export function formatIn(contentType: string | undefined): (typeof inputTypes)[number] | undefined {
  const words = new Set((contentType ?? '').toLowerCase().split(/[^a-z]+/))
  return inputTypes.find((type) => type !== 'text' && words.has(type))
}

function isExcluded({ agent }: Candidate, { excluded }: Requirements): string[] {
  return excluded.includes(agent.id) ? ['exclude_agents: it is excluded.'] : []
}

function unavailable(candidate: Candidate): string[] {
  const { status, model } = candidate
  if (status !== 'active') return [`status: it is ${status === 'maintenance' ? 'in maintenance' : status}.`]
  const isAvailable = model !== undefined && model.model.available
  const isUsable = isAvailable && (model.provider !== 'builtin' || worksWithoutModel(candidate))
  return !usesModel(candidate) || isUsable || worksWithoutModel(candidate)
    ? []
    : ['models: no model is available, and it needs a language model.']
}

function wrongProvider(candidate: Candidate, { providers }: Requirements): string[] {
  const { model } = candidate
  if (providers.length === 0 || !usesModel(candidate)) return []
  if (model !== undefined && providers.includes(model.provider)) return []
  const used = model === undefined ? 'no provider' : model.provider
  return [`preferred_providers: it would use ${used}, and not ${providers.join(' or ')}.`]
}

function notGoodEnough({ record: { quality } }: Candidate, { qualityLevel }: Requirements): string[] {
  if (qualityLevel === undefined || quality === null || quality.mean >= criteria.qualityPoints[qualityLevel])
    return []
  const points = criteria.qualityPoints[qualityLevel]
  return [
    `quality_level: its texts reached ${units.round(quality.mean, 3)} of 100, and ${qualityLevel} requires ${points}.`,
  ]
}

function tooLong({ agent: { configuration } }: Candidate, { length }: Requirements): string[] {
  const maxLength = configuration.max_input_length
  if (length === undefined || length <= maxLength) return []
  return [`content_length: the content has ${length} characters, and the limit is ${maxLength}.`]
}

function unsupportedLanguage({ agent }: Candidate, { language }: Requirements): string[] {
  const code = language === undefined ? undefined : criteria.languageCodeOf(language)
  const supported = agent.supported_languages
  if (code === undefined || supported.includes('*') || supported.includes(code)) return []
  return [`language: it supports ${supported.join(', ')} and not ${language}.`]
}

/** Plain text and Markdown cannot be distinguished, so each includes the other. */
function unsupportedFormat(
  { agent: { input_types: supported } }: Candidate,
  { contentType }: Requirements,
): string[] {
  const format = formatIn(contentType)
  if (format === undefined || supported.includes(format)) return []
  if (format === 'markdown' && supported.includes('text')) return []
  return [`content_type: it supports ${supported.join(', ')} and not ${format}.`]
}

/** The words of the metadata of an agent. */
function agentWords({
  id,
  label,
  description,
  category,
  capabilities,
}: AgentDefinition): ReadonlySet<string> {
  return new Set(
    criteria.wordsOf([id.replaceAll(/[_-]/g, ' '), label, description, category, ...capabilities].join(' ')),
  )
}

/**
 * How well an agent fits the request. Aspects that were not requested or are unknown do not count; words that no agent uses cannot
 * distinguish agents.
 */
function fitFactors(
  known: Pick<KnownAgent, 'agent' | 'record'>,
  requirements: Requirements,
  vocabulary: ReadonlySet<string>,
): scoreFactors.FitFactor[] {
  const words = agentWords(known.agent)
  return [
    topicFactor('content_type', 3, requirements.contentType, words, vocabulary),
    topicFactor('target_audience', 1, requirements.audience, words, vocabulary),
    seoFactor(known.agent, words, requirements),
    languageFactor(known.agent, requirements),
    lengthFactor(known.agent, requirements),
    improvementFactor(known, requirements),
  ]
}

function topicFactor(
  name: string,
  weight: number,
  given: string | undefined,
  words: ReadonlySet<string>,
  vocabulary: ReadonlySet<string>,
): scoreFactors.FitFactor {
  const known = criteria.wordsOf(given ?? '').filter((word) => vocabulary.has(word))
  const head = { name, weight, asked: given !== undefined }
  if (known.length === 0)
    return {
      ...head,
      score: null,
      evidence: given === undefined ? 'The request does not name it.' : `No agent mentions "${given}".`,
    }
  const score = criteria.shareIn(known.join(' '), words)
  const evidence = (score ?? 0) > 0 ? `It mentions "${given}".` : `It does not mention "${given}".`
  return { ...head, score, evidence }
}

/** Agents of the category `seo` fit every SEO requirement; others those they mention. */
function seoFactor(
  { category }: AgentDefinition,
  words: ReadonlySet<string>,
  { seo }: Requirements,
): scoreFactors.FitFactor {
  const head = { name: 'seo_requirements', weight: 3, asked: seo.length > 0 }
  if (seo.length === 0) return { ...head, score: null, evidence: 'The request has no SEO requirements.' }
  const named = seo.filter((requirement) => (criteria.shareIn(requirement, words) ?? 0) > 0)
  const isSeo = category === 'seo'
  const share = named.length / seo.length
  const evidence =
    named.length > 0
      ? `It covers ${named.join(', ')}.`
      : isSeo
        ? 'It is an SEO agent, but mentions none of the requirements.'
        : 'It mentions none of the SEO requirements.'
  return { ...head, score: isSeo ? 0.6 + 0.4 * share : share, evidence }
}

function languageFactor(
  { supported_languages: supported }: AgentDefinition,
  { language }: Requirements,
): scoreFactors.FitFactor {
  const head = { name: 'language', weight: 2, asked: language !== undefined }
  if (language === undefined) return { ...head, score: null, evidence: 'The request names no language.' }
  const code = criteria.languageCodeOf(language)
  if (code === undefined) return { ...head, score: null, evidence: `"${language}" is not a known language.` }
  if (supported.includes(code)) return { ...head, score: 1, evidence: `It supports ${language}.` }
  if (supported.includes('*')) return { ...head, score: 0.8, evidence: 'It supports any language.' }
  return { ...head, score: 0, evidence: `It does not support ${language}.` }
}

/** Near the input limit, less space is left for instructions. */
function lengthFactor({ configuration }: AgentDefinition, { length }: Requirements): scoreFactors.FitFactor {
  const head = { name: 'content_length', weight: 1, asked: length !== undefined }
  if (length === undefined) return { ...head, score: null, evidence: 'The request names no length.' }
  const maxLength = configuration.max_input_length
  return {
    ...head,
    score: Math.max(0, 1 - length / maxLength),
    evidence: `The content has ${Math.round((length / maxLength) * 100)} % of its input limit.`,
  }
}

/** The share of the gap to a score of 100 that its texts close. */
function improvementFactor(
  { record: { quality } }: Pick<KnownAgent, 'record'>,
  { quality: now }: Requirements,
): scoreFactors.FitFactor {
  const head = { name: 'current_quality_score', weight: 2, asked: now !== undefined }
  if (now === undefined) return { ...head, score: null, evidence: 'The request names no current quality.' }
  if (quality === null)
    return { ...head, score: null, evidence: 'The quality of its texts was not measured yet.' }
  const gain = quality.mean - now
  return {
    ...head,
    score: now >= 100 ? 0 : Math.min(1, Math.max(0, gain / (100 - now))),
    evidence:
      gain > 0
        ? `Its texts are ${units.round(gain, 3)} points better than the content now.`
        : 'Its texts are not better than the content now.',
  }
}
