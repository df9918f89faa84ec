import { languageCodeOf, levelPoints, rounded } from '#runs'
import { inputTypes } from '../agents/definition.ts'
import { asksModel, type Candidate, worksAlone } from './candidate.ts'
import type { Wishes } from './wishes.ts'

/** Why an agent is left out: each thing that must hold and does not. What nobody knows does not exclude. */
export function exclusionsOf(candidate: Candidate, wishes: Wishes): string[] {
  return [
    ...notWanted(candidate, wishes),
    ...notAtWork(candidate),
    ...overCost(candidate, wishes),
    ...overTime(candidate, wishes),
    ...wrongProvider(candidate, wishes),
    ...notGoodEnough(candidate, wishes),
    ...tooLong(candidate, wishes),
    ...otherLanguage(candidate, wishes),
    ...otherFormat(candidate, wishes),
  ]
}

/** Why an agent of which this much is known is left out. */
export function tooUncertain(confidence: number, { minConfidence }: Pick<Wishes, 'minConfidence'>): string[] {
  if (minConfidence === undefined || confidence >= minConfidence) return []
  return [
    `min_confidence: it is recommended with a confidence of ${confidence}, and ${minConfidence} is asked for.`,
  ]
}

/** The format a content type names, such as `html` in `HTML page`; undefined when it names none. */
export function formatIn(contentType: string | undefined): (typeof inputTypes)[number] | undefined {
  const words = new Set((contentType ?? '').toLowerCase().split(/[^a-z]+/))
  return inputTypes.find((type) => type !== 'text' && words.has(type))
}

function notWanted({ agent }: Candidate, { excluded }: Wishes): string[] {
  return excluded.includes(agent.id) ? ['exclude_agents: it is not wanted.'] : []
}

function notAtWork(candidate: Candidate): string[] {
  const { status, model } = candidate
  if (status !== 'active') return [`status: it is ${status === 'maintenance' ? 'in maintenance' : status}.`]
  const answered = model !== undefined && model.model.available
  const capable = answered && (model.provider !== 'builtin' || worksAlone(candidate))
  return !asksModel(candidate) || capable || worksAlone(candidate)
    ? []
    : ['models: nobody can answer it now, and it cannot work without a language model.']
}

function overCost({ estimate: { cost } }: Candidate, { maxCost }: Wishes): string[] {
  if (maxCost === undefined || cost.value === null || cost.value <= maxCost) return []
  return [`max_cost: it costs about $${Math.round(cost.value) / 1e6}, and $${maxCost / 1e6} are allowed.`]
}

function overTime({ estimate: { duration } }: Candidate, { timeBounds }: Wishes): string[] {
  const { value } = duration
  return timeBounds.flatMap(({ name, ms }) => {
    if (ms === 0) return [`${name}: it is over.`]
    if (value === null || value <= ms) return []
    return [
      `${name}: it takes about ${Math.round(value) / 1000} s, and there are ${Math.round(ms) / 1000} s.`,
    ]
  })
}

function wrongProvider(candidate: Candidate, { providers }: Wishes): string[] {
  const { model } = candidate
  if (providers.length === 0 || !asksModel(candidate)) return []
  if (model !== undefined && providers.includes(model.provider)) return []
  const who = model === undefined ? 'nobody' : model.provider
  return [`preferred_providers: ${who} would answer it, and not ${providers.join(' or ')}.`]
}

function notGoodEnough({ record: { quality } }: Candidate, { qualityLevel }: Wishes): string[] {
  if (qualityLevel === undefined || quality === null || quality.mean >= levelPoints[qualityLevel]) return []
  const points = levelPoints[qualityLevel]
  return [
    `quality_level: its texts reached ${rounded(quality.mean)} of 100, and ${qualityLevel} asks for ${points}.`,
  ]
}

function tooLong({ agent: { configuration } }: Candidate, { length }: Wishes): string[] {
  const most = configuration.max_input_length
  if (length === undefined || length <= most) return []
  return [`content_length: the content has ${length} characters, and it takes ${most}.`]
}

function otherLanguage({ agent }: Candidate, { language }: Wishes): string[] {
  const code = language === undefined ? undefined : languageCodeOf(language)
  const knows = agent.supported_languages
  if (code === undefined || knows.includes('*') || knows.includes(code)) return []
  return [`language: it knows ${knows.join(', ')} and not ${language}.`]
}

/** Plain text and Markdown cannot be told apart, so one stands for both. */
function otherFormat({ agent: { input_types: takes } }: Candidate, { contentType }: Wishes): string[] {
  const format = formatIn(contentType)
  if (format === undefined || takes.includes(format)) return []
  if (format === 'markdown' && takes.includes('text')) return []
  return [`content_type: it works on ${takes.join(', ')} and not on ${format}.`]
}
