import { criteria } from '#executions-api'
import type { RecommendRequest } from './request.ts'

/** The quality metrics of a content, by their names in a request. */
export type Metric = 'readability' | 'seo' | 'accuracy' | 'structure'

/** A request in internal units: money in micro-dollars, times in milliseconds, scores from 0 to 100. */
export interface Requirements extends criteria.Limits {
  readonly contentType: string | undefined
  readonly length: number | undefined
  readonly complexity: string | undefined
  readonly technicalLevel: string | undefined
  readonly audience: string | undefined
  readonly language: string | undefined
  readonly domain: string | undefined
  readonly current: Readonly<Partial<Record<Metric, number>>>
  readonly targetSeo: number | undefined
  /** Compliance that ranks flows lower, and compliance that excludes flows. */
  readonly softCompliance: readonly string[]
  readonly hardCompliance: readonly string[]
  readonly role: string | undefined
  readonly experience: string | undefined
  readonly department: string | undefined
  readonly knownFlows: readonly string[]
  readonly excludeExperimental: boolean
  readonly maxBytes: number | undefined
  readonly maxConcurrent: number | undefined
}

interface TimeBound {
  readonly name: 'max_duration' | 'available_time_window' | 'publication_deadline'
  readonly ms: number
}

const unitMs: readonly (readonly [RegExp, number])[] = [
  [/^ms/, 1],
  [/^s/, 1000],
  [/^m/, 60_000],
  [/^h/, 3_600_000],
  [/^d/, 86_400_000],
]
const unitBytes = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 } as const

export function readRequirements(
  { context, preferences = {}, constraints = {} }: RecommendRequest,
  now: Date,
): Requirements {
  const {
    content_characteristics: content = {},
    current_quality_metrics: metrics = {},
    business_requirements: business = {},
    user_context: user = {},
  } = context
  const limits = constraints.resource_limits ?? {}
  return {
    contentType: context.content_type,
    length: content.length,
    complexity: content.complexity,
    technicalLevel: content.technical_level,
    audience: content.target_audience,
    language: content.language,
    domain: content.domain,
    current: given({
      readability: criteria.asPoints(metrics.readability_score),
      seo: criteria.asPoints(metrics.seo_score),
      accuracy: criteria.asPoints(metrics.technical_accuracy),
      structure: criteria.asPoints(metrics.structure_score),
    }),
    targetSeo: criteria.asPoints(business.target_seo_score),
    qualityLevel: business.required_quality_level,
    softCompliance: business.compliance_requirements ?? [],
    hardCompliance: constraints.compliance_requirements ?? [],
    role: user.role,
    experience: user.experience_level,
    department: user.department,
    knownFlows: user.previous_workflows ?? [],
    maxCost: preferences.max_cost === undefined ? undefined : Math.floor(preferences.max_cost * 1e6),
    timeBounds: [
      bound('max_duration', preferences.max_duration),
      bound('available_time_window', constraints.available_time_window),
      deadlineBound(business.publication_deadline, now),
    ].filter((it) => it !== undefined),
    minConfidence: preferences.min_confidence,
    providers: preferences.preferred_providers ?? [],
    excludeExperimental: preferences.exclude_experimental ?? false,
    prioritize: preferences.prioritize ?? 'balanced',
    explain: preferences.explain_recommendations ?? false,
    maxBytes: limits.max_memory === undefined ? undefined : bytesIn(limits.max_memory),
    maxConcurrent: limits.max_concurrent_flows,
  }
}

function bound(name: TimeBound['name'], span: number | string | undefined): TimeBound | undefined {
  return span === undefined ? undefined : { name, ms: spanMs(span) }
}

function deadlineBound(deadline: string | undefined, now: Date): TimeBound | undefined {
  if (deadline === undefined) return undefined
  return { name: 'publication_deadline', ms: Math.max(0, Date.parse(deadline) - now.getTime()) }
}

function spanMs(span: number | string): number {
  if (typeof span === 'number') return span * 1000
  const [, amount, unit = ''] = /^\s*([\d.]+)\s*([a-z]+)/.exec(span) ?? []
  const factor = unitMs.find(([name]) => name.test(unit))?.[1] ?? 1000
  return Number(amount) * factor
}

function bytesIn(size: number | string): number {
  if (typeof size === 'number') return Math.floor(size * unitBytes.MB)
  const [, amount, unit] = /^([\d.]+)(KB|MB|GB)$/.exec(size) ?? []
  return Math.floor(Number(amount) * unitBytes[unit as keyof typeof unitBytes])
}

function given(metrics: Readonly<Record<Metric, number | undefined>>): Partial<Record<Metric, number>> {
  return Object.fromEntries(Object.entries(metrics).filter(([, value]) => value !== undefined))
}
