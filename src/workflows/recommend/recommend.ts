import { criteria, scoreFactors, scoring, units } from '#executions-api'
import type { Candidate } from './candidate.ts'
import { compliesWith, fitFactors } from './fit.ts'
import type { Requirements } from './requirements.ts'
import { type Strategy, strategiesFor } from './strategies.ts'
import { type Market, type Variant, variantsOf } from './variants.ts'

export interface Recommendation {
  readonly candidate: Candidate
  readonly score: scoring.Score
  readonly variants: readonly Variant[]
}

export interface Advice {
  /** The best first. */
  readonly recommendations: readonly Recommendation[]
  readonly excluded: readonly { readonly id: string; readonly reasons: readonly string[] }[]
  readonly strategies: readonly Strategy[]
}

const maxRecommended = 10

/** Excludes flows that do not meet the requirements, and ranks the others. */
export function recommendFlows(
  candidates: readonly Candidate[],
  requirements: Requirements,
  market: Market,
): Advice {
  const baseline = scoring.baselineOf(candidates, requirements)
  const { ranked, excluded } = scoring.rankCandidates(candidates, {
    idOf: ({ flow }) => flow.flowId,
    scoreOf: (candidate) => scoreFlow(candidate, requirements, baseline),
    exclusionsOf: (candidate) => exclusionsOf(candidate, requirements),
    limits: requirements,
  })
  return {
    recommendations: ranked
      .slice(0, maxRecommended)
      .map((it) => ({ ...it, variants: variantsOf(it.candidate, market) })),
    excluded,
    strategies: strategiesFor(
      ranked.map(({ candidate }) => candidate),
      requirements,
    ),
  }
}

const experimentalWords = ['experimental', 'beta', 'alpha', 'preview']

/** The requirements that a flow does not meet. Unknown values exclude no flow. */
export function exclusionsOf(candidate: Candidate, requirements: Requirements): string[] {
  return [
    ...criteria.exceededLimits(candidate.estimate, requirements),
    ...overMemory(candidate, requirements),
    ...experimental(candidate, requirements),
    ...notCompliant(candidate, requirements),
    ...notAnswered(candidate),
    ...tooLong(candidate, requirements),
  ]
}

function overMemory({ record }: Candidate, { maxBytes }: Requirements): string[] {
  if (maxBytes === undefined || record.bytes === null || record.bytes <= maxBytes) return []
  return [
    `max_memory: its executions hold about ${units.megabytes(record.bytes)} MB, and ${units.megabytes(maxBytes)} MB are allowed.`,
  ]
}

function experimental({ flow: { definition } }: Candidate, { excludeExperimental }: Requirements): string[] {
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

function notCompliant(candidate: Candidate, { hardCompliance }: Requirements): string[] {
  return hardCompliance
    .filter((requirement) => !compliesWith(candidate, requirement))
    .map((requirement) => `compliance_requirements: it does not say that it complies with ${requirement}.`)
}

function notAnswered({ models }: Candidate): string[] {
  return models
    .filter(({ entry }) => entry === undefined || !entry.model.available)
    .map(
      ({ stepId, named }) =>
        `models: no model is available for its step "${stepId}"${named === null ? '' : ` (${named})`}.`,
    )
}

function tooLong({ models }: Candidate, { length }: Requirements): string[] {
  if (length === undefined) return []
  const tokens = criteria.tokensIn(length)
  return models.flatMap(({ stepId, entry }) => {
    const most = entry?.model.contextLength ?? null
    if (most === null || tokens <= most) return []
    return [
      `length: the content has about ${tokens} tokens, and the model of its step "${stepId}" takes ${most}.`,
    ]
  })
}

/** Scores a flow by how well it fits, and by its executions. Unknown factors do not count. */
export function scoreFlow(
  candidate: Candidate,
  requirements: Requirements,
  baseline: ReturnType<typeof scoring.baselineOf>,
): scoring.Score {
  return scoring.scoreCandidate(candidate, {
    fit: fitFactors(candidate, requirements),
    success: scoreFactors.successFactor(candidate.record, { noun: 'executions', risk: 'medium' }),
    limits: requirements,
    baseline,
    unknownScore: null,
  })
}
