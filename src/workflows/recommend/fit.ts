import { allSteps, sendsPrompt } from '#engine'
import { criteria, type scoreFactors } from '#executions-api'
import type { Candidate, KnownFlow } from './candidate.ts'
import { flowWords, needsOf, qualityGaps, worksOn } from './needs.ts'
import type { Requirements } from './requirements.ts'

/** How well a flow fits the request. Aspects that were not requested or are unknown do not count. */
export function fitFactors(candidate: KnownFlow, requirements: Requirements): scoreFactors.FitFactor[] {
  const words = flowWords(candidate)
  return [
    topicFactor(words, requirements),
    gapFactor(words, requirements),
    {
      name: 'language',
      weight: 2,
      asked: requirements.language !== undefined,
      ...languageFit(candidate, requirements.language),
    },
    complexityFactor(candidate, requirements),
    experienceFactor(candidate, requirements),
    departmentFactor(candidate, requirements),
    familiarityFactor(candidate, requirements),
    {
      name: 'providers',
      weight: 2,
      asked: requirements.providers.length > 0,
      ...providerFit(candidate, requirements.providers),
    },
    complianceFactor(candidate, requirements),
  ]
}

function topicFactor(words: ReadonlySet<string>, requirements: Requirements): scoreFactors.FitFactor {
  const topics = needsOf(requirements).filter(({ name }) => !name.endsWith(' gap'))
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

function gapFactor(words: ReadonlySet<string>, requirements: Requirements): scoreFactors.FitFactor {
  const gaps = qualityGaps(requirements)
  // A larger gap between a metric and its target has a higher weight.
  const weight = 3 + Math.max(0, ...gaps.map(({ gap }) => gap)) / 20
  const head = { name: 'quality_gaps', weight, asked: gaps.length > 0 }
  if (gaps.length === 0) return { ...head, score: null, evidence: 'No metric is below its target.' }
  const met = gaps.filter(({ metric }) => worksOn(metric, words))
  const sum = (list: typeof gaps) => list.reduce((total, { gap }) => total + gap, 0)
  const describe = (list: typeof gaps) =>
    list.map(({ metric, gap }) => `${metric} (${gap} points)`).join(', ')
  const evidence =
    met.length === 0 ? `It works on none of: ${describe(gaps)}.` : `It works on ${describe(met)}.`
  return { ...head, score: sum(met) / sum(gaps), evidence }
}

function complexityFactor({ flow }: KnownFlow, { complexity }: Requirements): scoreFactors.FitFactor {
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

/** A flow may be too complex for the experience of a user, but never too simple. */
function experienceFactor({ flow }: KnownFlow, { experience }: Requirements): scoreFactors.FitFactor {
  const [knows, has] = [levelOf(experience), levelOf(flow.metadata.complexity_level)]
  const head = { name: 'experience', weight: 1, asked: experience !== undefined }
  if (knows === null || has === null)
    return { ...head, score: null, evidence: 'Experience, or the complexity of the flow, is not known.' }
  return {
    ...head,
    score: 1 - Math.max(0, has - knows) / 2,
    evidence: `The flow is "${flow.metadata.complexity_level}" for the experience "${experience}".`,
  }
}

function departmentFactor({ flow }: KnownFlow, { department }: Requirements): scoreFactors.FitFactor {
  const owner = flow.metadata.department
  const head = { name: 'department', weight: 1, asked: department !== undefined }
  if (department === undefined || owner === undefined)
    return { ...head, score: null, evidence: 'No department was named, or the flow has none.' }
  const same = owner.trim().toLowerCase() === department.trim().toLowerCase()
  return { ...head, score: same ? 1 : 0, evidence: `The flow belongs to ${owner}.` }
}

function familiarityFactor({ flow }: KnownFlow, { knownFlows }: Requirements): scoreFactors.FitFactor {
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

function complianceFactor(candidate: KnownFlow, { softCompliance }: Requirements): scoreFactors.FitFactor {
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

/** Words for three levels of complexity and experience. */
const grades: readonly (readonly string[])[] = [
  ['low', 'simple', 'basic', 'easy', 'beginner', 'novice', 'junior'],
  ['medium', 'moderate', 'intermediate', 'standard', 'normal'],
  ['high', 'complex', 'advanced', 'expert', 'difficult', 'senior', 'professional'],
]

/** 0, 1 or 2; null for words that are none of these. */
function levelOf(word: string | undefined): number | null {
  const found = grades.findIndex((names) => names.includes((word ?? '').trim().toLowerCase()))
  return found < 0 ? null : found
}

/** The share of model steps that would use a preferred provider. */
function providerFit(
  { models }: Pick<Candidate, 'models'>,
  preferred: readonly string[],
): Pick<scoreFactors.Factor, 'score' | 'evidence'> {
  if (preferred.length === 0) return { score: null, evidence: 'No provider is preferred.' }
  if (models.length === 0) return { score: null, evidence: 'No step calls a model.' }
  const met = models.filter(({ entry }) => entry !== undefined && preferred.includes(entry.provider))
  return {
    score: met.length / models.length,
    evidence: `${met.length} of ${models.length} model steps would use ${preferred.join(' or ')}.`,
  }
}

/** Whether a flow supports a language: by its tags, or by a language placeholder in its prompts. */
function languageFit(
  { flow: { definition } }: Pick<Candidate, 'flow'>,
  language: string | undefined,
): Pick<scoreFactors.Factor, 'score' | 'evidence'> {
  if (language === undefined) return { score: null, evidence: 'No language was named.' }
  const asked = criteria.languageCodeOf(language) ?? language.trim().toLowerCase()
  const declared = (definition.tags ?? []).flatMap(
    (tag) => criteria.languageCodeOf(tag.replace(/^lang(uage)?[:=-]/i, '')) ?? [],
  )
  if (declared.includes(asked)) return { score: 1, evidence: `Its tags name ${language}.` }
  if (declared.length > 0)
    return { score: 0, evidence: `Its tags name ${declared.join(', ')} and not ${language}.` }
  const usesLanguage = allSteps(definition.steps).some(
    (step) =>
      sendsPrompt(step) &&
      /\{\{[^}]*language[^}]*\}\}/i.test(`${step.prompt} ${step.ai_options?.system_prompt ?? ''}`),
  )
  if (usesLanguage) return { score: 1, evidence: 'Its prompts use the language.' }
  return { score: null, evidence: 'It does not say which languages it is for.' }
}

/** Whether the tags, category or use cases of a flow declare compliance with a requirement. */
export function compliesWith(
  { flow: { definition, metadata } }: Pick<Candidate, 'flow'>,
  requirement: string,
): boolean {
  const wanted = criteria.wordsOf(requirement)
  const said = [...(definition.tags ?? []), definition.category ?? '', ...(metadata.use_cases ?? [])]
  return (
    wanted.length > 0 &&
    said.some((text) => {
      const words = new Set(criteria.wordsOf(text))
      return wanted.every((word) => words.has(word))
    })
  )
}
