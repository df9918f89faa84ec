import { type Factor, languageCodeOf, rounded, shareIn, wordsOf } from '#runs'
import type { AgentDefinition } from '../agents/definition.ts'
import type { KnownAgent } from './candidate.ts'
import type { Wishes } from './wishes.ts'

/** A factor that counts only when the request says something about it. */
export interface FitFactor extends Factor {
  readonly asked: boolean
}

/** The words an agent says of itself. */
export function agentWords({
  id,
  label,
  description,
  category,
  capabilities,
}: AgentDefinition): ReadonlySet<string> {
  return new Set(
    wordsOf([id.replaceAll(/[_-]/g, ' '), label, description, category, ...capabilities].join(' ')),
  )
}

/**
 * How well an agent suits what it is wanted for, one thing after the other. What was not asked, or cannot be told, does not count:
 * words that no agent uses tell none of them from the others.
 */
export function fitFactors(
  known: Pick<KnownAgent, 'agent' | 'record'>,
  wishes: Wishes,
  vocabulary: ReadonlySet<string>,
): FitFactor[] {
  const words = agentWords(known.agent)
  return [
    topicFactor('content_type', 3, wishes.contentType, words, vocabulary),
    topicFactor('target_audience', 1, wishes.audience, words, vocabulary),
    seoFactor(known.agent, words, wishes),
    languageFactor(known.agent, wishes),
    roomFactor(known.agent, wishes),
    improvementFactor(known, wishes),
  ]
}

function topicFactor(
  name: string,
  weight: number,
  said: string | undefined,
  words: ReadonlySet<string>,
  vocabulary: ReadonlySet<string>,
): FitFactor {
  const telling = wordsOf(said ?? '').filter((word) => vocabulary.has(word))
  const head = { name, weight, asked: said !== undefined }
  if (telling.length === 0)
    return {
      ...head,
      score: null,
      evidence: said === undefined ? 'Nothing was said of it.' : `No agent speaks of "${said}".`,
    }
  const score = shareIn(telling.join(' '), words)
  const evidence = (score ?? 0) > 0 ? `It says that it is for "${said}".` : `It says nothing of "${said}".`
  return { ...head, score, evidence }
}

/** Agents for search engines work on every requirement; others on those they name. */
function seoFactor({ category }: AgentDefinition, words: ReadonlySet<string>, { seo }: Wishes): FitFactor {
  const head = { name: 'seo_requirements', weight: 3, asked: seo.length > 0 }
  if (seo.length === 0) return { ...head, score: null, evidence: 'Nothing was required for search engines.' }
  const named = seo.filter((requirement) => (shareIn(requirement, words) ?? 0) > 0)
  const isSeo = category === 'seo'
  const share = named.length / seo.length
  const evidence =
    named.length > 0
      ? `It works on ${named.join(', ')}.`
      : isSeo
        ? 'It works for search engines, and names none of what is required.'
        : 'It names nothing of what search engines are to find.'
  return { ...head, score: isSeo ? 0.6 + 0.4 * share : share, evidence }
}

function languageFactor({ supported_languages: knows }: AgentDefinition, { language }: Wishes): FitFactor {
  const head = { name: 'language', weight: 2, asked: language !== undefined }
  if (language === undefined) return { ...head, score: null, evidence: 'No language was named.' }
  const code = languageCodeOf(language)
  if (code === undefined) return { ...head, score: null, evidence: `"${language}" is no language we know.` }
  if (knows.includes(code)) return { ...head, score: 1, evidence: `It is made for ${language}.` }
  if (knows.includes('*')) return { ...head, score: 0.8, evidence: 'It takes any language.' }
  return { ...head, score: 0, evidence: `It does not know ${language}.` }
}

/** Near the most an agent takes, less room is left for what else it is told. */
function roomFactor({ configuration }: AgentDefinition, { length }: Wishes): FitFactor {
  const head = { name: 'content_length', weight: 1, asked: length !== undefined }
  if (length === undefined) return { ...head, score: null, evidence: 'No length was named.' }
  const most = configuration.max_input_length
  return {
    ...head,
    score: Math.max(0, 1 - length / most),
    evidence: `The content takes ${Math.round((length / most) * 100)} % of what it reads.`,
  }
}

/** How much of what is missing to a perfect text its texts have shown. */
function improvementFactor(
  { record: { quality } }: Pick<KnownAgent, 'record'>,
  { quality: now }: Wishes,
): FitFactor {
  const head = { name: 'current_quality_score', weight: 2, asked: now !== undefined }
  if (now === undefined) return { ...head, score: null, evidence: 'Nothing was said of the quality now.' }
  if (quality === null)
    return { ...head, score: null, evidence: 'How good its texts are was not measured yet.' }
  const won = quality.mean - now
  return {
    ...head,
    score: now >= 100 ? 0 : Math.min(1, Math.max(0, won / (100 - now))),
    evidence:
      won > 0
        ? `Its texts are ${rounded(won)} points better than the content now.`
        : 'Its texts are not better than the content now.',
  }
}
