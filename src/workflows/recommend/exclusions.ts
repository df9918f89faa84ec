import type { Candidate } from './candidate.ts'
import { compliesWith } from './compliance.ts'
import type { Wishes } from './wishes.ts'

/** Characters of a token in a usual text. */
const charactersPerToken = 4

const experimentalWords = ['experimental', 'beta', 'alpha', 'preview']

/** Why a flow is left out: each thing that must hold and does not. What nobody knows does not exclude. */
export function exclusionsOf(candidate: Candidate, wishes: Wishes): string[] {
  return [
    ...overCost(candidate, wishes),
    ...overTime(candidate, wishes),
    ...overMemory(candidate, wishes),
    ...experimental(candidate, wishes),
    ...notCompliant(candidate, wishes),
    ...notAnswered(candidate),
    ...tooLong(candidate, wishes),
  ]
}

/** Why a flow of which this much is known is left out. */
export function tooUncertain(confidence: number, { minConfidence }: Pick<Wishes, 'minConfidence'>): string[] {
  if (minConfidence === undefined || confidence >= minConfidence) return []
  return [
    `min_confidence: it is recommended with a confidence of ${confidence}, and ${minConfidence} is asked for.`,
  ]
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

function overMemory({ record }: Candidate, { maxBytes }: Wishes): string[] {
  if (maxBytes === undefined || record.bytes === null || record.bytes <= maxBytes) return []
  return [
    `max_memory: its executions hold about ${megabytes(record.bytes)} MB, and ${megabytes(maxBytes)} MB are allowed.`,
  ]
}

function experimental({ flow: { definition } }: Candidate, { excludeExperimental }: Wishes): string[] {
  if (!excludeExperimental) return []
  const said = new Set(
    [definition.category ?? '', ...(definition.tags ?? [])].map((word) => word.toLowerCase()),
  )
  const word = experimentalWords.find((name) => said.has(name))
  if (word !== undefined) return [`exclude_experimental: it is tagged "${word}".`]
  return /^0(\.|$)/.test(definition.version ?? '')
    ? [`exclude_experimental: its version is ${definition.version}.`]
    : []
}

function notCompliant(candidate: Candidate, { hardCompliance }: Wishes): string[] {
  return hardCompliance
    .filter((requirement) => !compliesWith(candidate, requirement))
    .map((requirement) => `compliance_requirements: it does not say that it complies with ${requirement}.`)
}

function notAnswered({ models }: Candidate): string[] {
  return models
    .filter(({ entry }) => entry === undefined || !entry.model.available)
    .map(
      ({ stepId, named }) =>
        `models: nobody can answer its step "${stepId}"${named === null ? '' : ` with ${named}`} now.`,
    )
}

function tooLong({ models }: Candidate, { length }: Wishes): string[] {
  if (length === undefined) return []
  const tokens = Math.ceil(length / charactersPerToken)
  return models.flatMap(({ stepId, entry }) => {
    const most = entry?.model.contextLength ?? null
    if (most === null || tokens <= most) return []
    return [
      `length: the content has about ${tokens} tokens, and the model of its step "${stepId}" takes ${most}.`,
    ]
  })
}

function megabytes(bytes: number): number {
  return Math.round((bytes / 1024 / 1024) * 1000) / 1000
}
