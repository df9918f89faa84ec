import { criteria } from '#executions-api'
import type { Candidate } from './candidate.ts'
import type { Metric, Requirements } from './requirements.ts'

/** A metric below its target. */
export interface QualityGap {
  readonly metric: Metric
  readonly current: number
  readonly target: number
  readonly gap: number
}

/** Words of flows that improve a metric. */
const metricWords: Readonly<Record<Metric, readonly string[]>> = {
  readability: [
    'readability',
    'readable',
    'clarity',
    'style',
    'editing',
    'rewrite',
    'simplify',
    'language',
    'quality',
  ],
  seo: ['seo', 'search', 'keyword', 'meta', 'ranking'],
  accuracy: [
    'accuracy',
    'fact',
    'factual',
    'verification',
    'verify',
    'check',
    'technical',
    'validation',
    'quality',
  ],
  structure: ['structure', 'outline', 'heading', 'section', 'format', 'formatting', 'quality'],
}

export function qualityGaps({ current, targetSeo, qualityLevel }: Requirements): QualityGap[] {
  const level = qualityLevel === undefined ? undefined : criteria.qualityPoints[qualityLevel]
  return Object.entries(current).flatMap(([name, value]) => {
    const metric = name as Metric
    const target = (metric === 'seo' ? targetSeo : undefined) ?? level
    if (target === undefined || target <= value) return []
    return [{ metric, current: value, target, gap: Math.round((target - value) * 100) / 100 }]
  })
}

/**
 * The words of a flow: its id, label, category, tags and use cases. Sentences mention many things in passing, so the
 * description counts only when there are no other words.
 */
export function flowWords({ flow: { definition, metadata } }: Pick<Candidate, 'flow'>): ReadonlySet<string> {
  const { id, label, description = '', category = '', tags = [] } = definition
  const said = [category, ...tags, ...(metadata.use_cases ?? [])].join(' ')
  return new Set(criteria.wordsOf([id, label, said.trim() === '' ? description : said].join(' ')))
}

/** Whether the words of a flow match a metric. */
export function worksOn(metric: Metric, words: ReadonlySet<string>): boolean {
  return metricWords[metric].some((word) => criteria.wordsOf(word).some((stem) => words.has(stem)))
}

/** A need of the request, and the share of it that a flow covers, from 0 to 1. */
export interface Need {
  readonly name: string
  readonly weight: number
  readonly coveredBy: (words: ReadonlySet<string>) => number
}

/** The needs of a request: its topics and its quality gaps. */
export function needsOf(requirements: Requirements): Need[] {
  const fields: readonly (readonly [name: string, text: string | undefined, weight: number])[] = [
    ['content_type', requirements.contentType, 3],
    ['domain', requirements.domain, 2],
    ['target_audience', requirements.audience, 1],
    ['technical_level', requirements.technicalLevel, 1],
    ['role', requirements.role, 1],
  ]
  const topics = fields.flatMap(([name, text, weight]) =>
    text === undefined || criteria.wordsOf(text).length === 0
      ? []
      : [{ name, weight, coveredBy: (words: ReadonlySet<string>) => criteria.shareIn(text, words) ?? 0 }],
  )
  const gaps = qualityGaps(requirements).map(({ metric, gap }) => ({
    name: `${metric} gap`,
    weight: gap / 20,
    coveredBy: (words: ReadonlySet<string>) => (worksOn(metric, words) ? 1 : 0),
  }))
  return [...topics, ...gaps]
}
