import { criteria, type scoring, units } from '#executions-api'
import type { AgentDefinition } from '../agents/definition.ts'
import type { KnownAgent } from './candidate.ts'
import type { Requirements } from './requirements.ts'

/** The words of the metadata of an agent. */
export function agentWords({
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
export function fitFactors(
  known: Pick<KnownAgent, 'agent' | 'record'>,
  requirements: Requirements,
  vocabulary: ReadonlySet<string>,
): scoring.FitFactor[] {
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
): scoring.FitFactor {
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
): scoring.FitFactor {
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
): scoring.FitFactor {
  const head = { name: 'language', weight: 2, asked: language !== undefined }
  if (language === undefined) return { ...head, score: null, evidence: 'The request names no language.' }
  const code = criteria.languageCodeOf(language)
  if (code === undefined) return { ...head, score: null, evidence: `"${language}" is not a known language.` }
  if (supported.includes(code)) return { ...head, score: 1, evidence: `It supports ${language}.` }
  if (supported.includes('*')) return { ...head, score: 0.8, evidence: 'It supports any language.' }
  return { ...head, score: 0, evidence: `It does not support ${language}.` }
}

/** Near the input limit, less space is left for instructions. */
function lengthFactor({ configuration }: AgentDefinition, { length }: Requirements): scoring.FitFactor {
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
): scoring.FitFactor {
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
