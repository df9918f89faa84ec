import type { Factor } from '#runs'
import type { KnownFlow } from './candidate.ts'
import { compliesWith } from './compliance.ts'
import { languageFit } from './language.ts'
import { levelOf } from './levels.ts'
import { flowWords, needsOf, qualityGaps, worksOn } from './needs.ts'
import { providerFit } from './provider-fit.ts'
import type { Wishes } from './wishes.ts'

/** A factor that counts only when the request says something about it. */
export interface FitFactor extends Factor {
  readonly asked: boolean
}

/** How well a flow suits what it is wanted for, one thing after the other. What was not asked, or cannot be told, does not count. */
export function fitFactors(candidate: KnownFlow, wishes: Wishes): FitFactor[] {
  const words = flowWords(candidate)
  return [
    topicFactor(words, wishes),
    gapFactor(words, wishes),
    {
      name: 'language',
      weight: 2,
      asked: wishes.language !== undefined,
      ...languageFit(candidate, wishes.language),
    },
    complexityFactor(candidate, wishes),
    experienceFactor(candidate, wishes),
    departmentFactor(candidate, wishes),
    familiarityFactor(candidate, wishes),
    {
      name: 'providers',
      weight: 2,
      asked: wishes.providers.length > 0,
      ...providerFit(candidate, wishes.providers),
    },
    complianceFactor(candidate, wishes),
  ]
}

function topicFactor(words: ReadonlySet<string>, wishes: Wishes): FitFactor {
  const topics = needsOf(wishes).filter(({ name }) => !name.endsWith(' gap'))
  const weight = topics.reduce((sum, need) => sum + need.weight, 0)
  const head = { name: 'topic', weight: 4, asked: weight > 0 }
  if (weight === 0) return { ...head, score: null, evidence: 'Nothing was said about the content.' }
  const score = topics.reduce((sum, need) => sum + need.coveredBy(words) * need.weight, 0) / weight
  const met = topics.filter((need) => need.coveredBy(words) > 0).map(({ name }) => name)
  const evidence =
    met.length === 0
      ? 'Neither its name nor its category, tags and use cases say anything of it.'
      : `Its name, category, tags or use cases match ${met.join(', ')}.`
  return { ...head, score, evidence }
}

function gapFactor(words: ReadonlySet<string>, wishes: Wishes): FitFactor {
  const gaps = qualityGaps(wishes)
  // The further a metric is from its target, the more it is what the flow is wanted for.
  const weight = 3 + Math.max(0, ...gaps.map(({ gap }) => gap)) / 20
  const head = { name: 'quality_gaps', weight, asked: gaps.length > 0 }
  if (gaps.length === 0) return { ...head, score: null, evidence: 'No metric is below its target.' }
  const met = gaps.filter(({ metric }) => worksOn(metric, words))
  const sum = (list: typeof gaps) => list.reduce((total, { gap }) => total + gap, 0)
  const tell = (list: typeof gaps) => list.map(({ metric, gap }) => `${metric} (${gap} points)`).join(', ')
  const evidence = met.length === 0 ? `It works on none of: ${tell(gaps)}.` : `It works on ${tell(met)}.`
  return { ...head, score: sum(met) / sum(gaps), evidence }
}

function complexityFactor({ flow }: KnownFlow, { complexity }: Wishes): FitFactor {
  const [asked, has] = [levelOf(complexity), levelOf(flow.metadata.complexity_level)]
  const head = { name: 'complexity', weight: 1, asked: complexity !== undefined }
  if (asked === null || has === null)
    return { ...head, score: null, evidence: 'The complexity of content or flow is not known.' }
  return {
    ...head,
    score: 1 - Math.abs(asked - has) / 2,
    evidence: `The content is "${complexity}", the flow "${flow.metadata.complexity_level}".`,
  }
}

/** A flow is too much for somebody with less experience than it is complex, and never too little. */
function experienceFactor({ flow }: KnownFlow, { experience }: Wishes): FitFactor {
  const [knows, has] = [levelOf(experience), levelOf(flow.metadata.complexity_level)]
  const head = { name: 'experience', weight: 1, asked: experience !== undefined }
  if (knows === null || has === null)
    return { ...head, score: null, evidence: 'Experience, or the complexity of the flow, is not known.' }
  return {
    ...head,
    score: 1 - Math.max(0, has - knows) / 2,
    evidence: `The flow is "${flow.metadata.complexity_level}" for somebody who is "${experience}".`,
  }
}

function departmentFactor({ flow }: KnownFlow, { department }: Wishes): FitFactor {
  const owner = flow.metadata.department
  const head = { name: 'department', weight: 1, asked: department !== undefined }
  if (department === undefined || owner === undefined)
    return { ...head, score: null, evidence: 'No department was named, or the flow has none.' }
  const same = owner.trim().toLowerCase() === department.trim().toLowerCase()
  return { ...head, score: same ? 1 : 0, evidence: `The flow belongs to ${owner}.` }
}

function familiarityFactor({ flow }: KnownFlow, { knownFlows }: Wishes): FitFactor {
  const head = { name: 'familiarity', weight: 1, asked: knownFlows.length > 0 }
  if (knownFlows.length === 0)
    return { ...head, score: null, evidence: 'No flows were named that are known.' }
  const known = knownFlows.includes(flow.flowId)
  return {
    ...head,
    score: known ? 1 : 0,
    evidence: known ? 'It was used before.' : 'It was not used before.',
  }
}

function complianceFactor(candidate: KnownFlow, { softCompliance }: Wishes): FitFactor {
  const head = { name: 'compliance', weight: 2, asked: softCompliance.length > 0 }
  if (softCompliance.length === 0) return { ...head, score: null, evidence: 'Nothing was required.' }
  const met = softCompliance.filter((requirement) => compliesWith(candidate, requirement))
  return {
    ...head,
    score: met.length / softCompliance.length,
    evidence:
      met.length === 0 ? `It names none of ${softCompliance.join(', ')}.` : `It names ${met.join(', ')}.`,
  }
}
