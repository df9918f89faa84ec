import type { Flow } from '#engine'
import { levelPoints, rounded } from '#runs'
import { tokensIn } from './estimate.ts'
import type { Recommendation } from './recommend.ts'
import { timeAvailable, type Wishes } from './wishes.ts'

const mostSimilar = 5
const mostFactors = 5

/** From how many characters on a content is long, and very long. */
const long = 4000
const veryLong = 20_000

/** From how many points below what is asked for there is much to be done. */
const muchToDo = 30

/** What can be told of a request by itself, and with what is recommended for it. */
export function analyseContext(
  wishes: Wishes,
  recommendations: readonly Recommendation[],
  workflows: readonly Flow[],
) {
  return {
    complexity: complexityOf(wishes),
    domain: wishes.contentType ?? null,
    estimated_tokens: wishes.length === undefined ? null : tokensIn(wishes.length),
    processing_difficulty: difficultyOf(wishes, recommendations),
    similar_workflows: similarWorkflows(recommendations, workflows),
    success_factors: successFactors(recommendations),
  }
}

/**
 * A point for a long content and two for a very long one, one for three things or more that search engines are to find, one for a quality
 * that is far below what is asked for. None is low, one or two are medium. Null when nothing of it was said.
 */
function complexityOf(wishes: Wishes): 'low' | 'medium' | 'high' | null {
  const { length, seo, quality } = wishes
  if (length === undefined && seo.length === 0 && quality === undefined) return null
  const points =
    Number((length ?? 0) > long) +
    Number((length ?? 0) > veryLong) +
    Number(seo.length >= 3) +
    Number((gapOf(wishes) ?? 0) >= muchToDo)
  return points === 0 ? 'low' : points <= 2 ? 'medium' : 'high'
}

/**
 * The mean of what is known: how much of what the best agent reads the content takes, how far its quality is below what is asked for, and
 * how much of the time there is the best agent needs. From 0 to 1; null when nothing is known.
 */
function difficultyOf(wishes: Wishes, [best]: readonly Recommendation[]): number | null {
  const gap = gapOf(wishes)
  const time = timeAvailable(wishes)
  const room = best?.candidate.agent.configuration.max_input_length
  const needed = best?.candidate.estimate.duration.value ?? null
  const parts = [
    wishes.length === undefined || room === undefined ? null : wishes.length / room,
    gap === null ? null : gap / 100,
    time === null || needed === null ? null : time === 0 ? 1 : needed / time,
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return rounded(parts.reduce((sum, part) => sum + Math.min(1, part), 0) / parts.length)
}

/** Points from what a content is now to what is asked for, which is a perfect text unless a level is named. */
function gapOf({ quality, qualityLevel }: Wishes): number | null {
  if (quality === undefined) return null
  return Math.max(0, (qualityLevel === undefined ? 100 : levelPoints[qualityLevel]) - quality)
}

/** Workflows in which recommended agents work; those with most of them first. */
function similarWorkflows(recommendations: readonly Recommendation[], workflows: readonly Flow[]): string[] {
  const wanted = new Set(recommendations.map(({ candidate }) => candidate.agent.id))
  return workflows
    .map(({ flowId, definition }) => {
      const agents = new Set(definition.steps.flatMap((step) => (step.type === 'agent' ? [step.agent] : [])))
      return { flowId, shared: [...agents].filter((agent) => wanted.has(agent)).length }
    })
    .filter(({ shared }) => shared > 0)
    .toSorted((left, right) => right.shared - left.shared || (left.flowId < right.flowId ? -1 : 1))
    .slice(0, mostSimilar)
    .map(({ flowId }) => flowId)
}

/** What speaks for the agent that is recommended first, the weightiest first. */
function successFactors([best]: readonly Recommendation[]): string[] {
  if (best === undefined) return []
  return [...best.score.factors.filter(({ name }) => name !== 'fit'), ...best.score.fit]
    .filter(({ score }) => score !== null && score >= 0.5)
    .toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0))
    .slice(0, mostFactors)
    .map(({ evidence }) => evidence)
}
