import { criteria, units } from '#executions-api'
import { inputTypes } from '../agents/definition.ts'
import { type Candidate, usesModel, worksWithoutModel } from './candidate.ts'
import type { Requirements } from './requirements.ts'

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
