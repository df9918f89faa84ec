import { recommend, units } from '#executions-api'
import { inputTypes } from '../agents/definition.ts'
import { asksModel, type Candidate, worksAlone } from './candidate.ts'
import type { Requirements } from './requirements.ts'

/** Why an agent is left out: each thing that must hold and does not. What nobody knows does not exclude. */
export function exclusionsOf(candidate: Candidate, requirements: Requirements): string[] {
  return [
    ...notWanted(candidate, requirements),
    ...notAtWork(candidate),
    ...recommend.exceededLimits(candidate.estimate, requirements),
    ...wrongProvider(candidate, requirements),
    ...notGoodEnough(candidate, requirements),
    ...tooLong(candidate, requirements),
    ...otherLanguage(candidate, requirements),
    ...otherFormat(candidate, requirements),
  ]
}

/** The format a content type names, such as `html` in `HTML page`; undefined when it names none. */
export function formatIn(contentType: string | undefined): (typeof inputTypes)[number] | undefined {
  const words = new Set((contentType ?? '').toLowerCase().split(/[^a-z]+/))
  return inputTypes.find((type) => type !== 'text' && words.has(type))
}

function notWanted({ agent }: Candidate, { excluded }: Requirements): string[] {
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

function wrongProvider(candidate: Candidate, { providers }: Requirements): string[] {
  const { model } = candidate
  if (providers.length === 0 || !asksModel(candidate)) return []
  if (model !== undefined && providers.includes(model.provider)) return []
  const who = model === undefined ? 'nobody' : model.provider
  return [`preferred_providers: ${who} would answer it, and not ${providers.join(' or ')}.`]
}

function notGoodEnough({ record: { quality } }: Candidate, { qualityLevel }: Requirements): string[] {
  if (qualityLevel === undefined || quality === null || quality.mean >= recommend.qualityPoints[qualityLevel])
    return []
  const points = recommend.qualityPoints[qualityLevel]
  return [
    `quality_level: its texts reached ${units.round(quality.mean, 3)} of 100, and ${qualityLevel} asks for ${points}.`,
  ]
}

function tooLong({ agent: { configuration } }: Candidate, { length }: Requirements): string[] {
  const most = configuration.max_input_length
  if (length === undefined || length <= most) return []
  return [`content_length: the content has ${length} characters, and it takes ${most}.`]
}

function otherLanguage({ agent }: Candidate, { language }: Requirements): string[] {
  const code = language === undefined ? undefined : recommend.languageCodeOf(language)
  const knows = agent.supported_languages
  if (code === undefined || knows.includes('*') || knows.includes(code)) return []
  return [`language: it knows ${knows.join(', ')} and not ${language}.`]
}

/** Plain text and Markdown cannot be told apart, so one stands for both. */
function otherFormat({ agent: { input_types: takes } }: Candidate, { contentType }: Requirements): string[] {
  const format = formatIn(contentType)
  if (format === undefined || takes.includes(format)) return []
  if (format === 'markdown' && takes.includes('text')) return []
  return [`content_type: it works on ${takes.join(', ')} and not on ${format}.`]
}
