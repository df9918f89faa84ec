import { levelPoints, shareIn, wordsOf } from '#runs'
import type { Candidate } from './candidate.ts'
import type { Metric, Wishes } from './wishes.ts'

/** A metric that is below what it is to be. */
export interface QualityGap {
  readonly metric: Metric
  readonly current: number
  readonly target: number
  readonly gap: number
}

/** How flows speak of what improves a metric. */
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

export function qualityGaps({ current, targetSeo, qualityLevel }: Wishes): QualityGap[] {
  const level = qualityLevel === undefined ? undefined : levelPoints[qualityLevel]
  return Object.entries(current).flatMap(([name, value]) => {
    const metric = name as Metric
    const target = (metric === 'seo' ? targetSeo : undefined) ?? level
    if (target === undefined || target <= value) return []
    return [{ metric, current: value, target, gap: Math.round((target - value) * 100) / 100 }]
  })
}

/**
 * The words a flow says of itself: its id, label, category, tags and use cases. Whole sentences name many things in passing, so
 * its description counts only where nothing else was said.
 */
export function flowWords({ flow: { definition, metadata } }: Pick<Candidate, 'flow'>): ReadonlySet<string> {
  const { id, label, description = '', category = '', tags = [] } = definition
  const said = [category, ...tags, ...(metadata.use_cases ?? [])].join(' ')
  return new Set(wordsOf([id, label, said.trim() === '' ? description : said].join(' ')))
}

/** Whether a flow says that it works on a metric. */
export function worksOn(metric: Metric, words: ReadonlySet<string>): boolean {
  return metricWords[metric].some((word) => wordsOf(word).some((stem) => words.has(stem)))
}

/** Something that is wanted, and how much of it a flow says it does, from 0 to 1. */
export interface Need {
  readonly name: string
  readonly weight: number
  readonly coveredBy: (words: ReadonlySet<string>) => number
}

/** Everything a request wants flows to be about: what is told of the content, and the gaps in its quality. */
export function needsOf(wishes: Wishes): Need[] {
  const told: readonly (readonly [name: string, text: string | undefined, weight: number])[] = [
    ['content_type', wishes.contentType, 3],
    ['domain', wishes.domain, 2],
    ['target_audience', wishes.audience, 1],
    ['technical_level', wishes.technicalLevel, 1],
    ['role', wishes.role, 1],
  ]
  const topics = told.flatMap(([name, text, weight]) =>
    text === undefined || wordsOf(text).length === 0
      ? []
      : [{ name, weight, coveredBy: (words: ReadonlySet<string>) => shareIn(text, words) ?? 0 }],
  )
  const gaps = qualityGaps(wishes).map(({ metric, gap }) => ({
    name: `${metric} gap`,
    weight: gap / 20,
    coveredBy: (words: ReadonlySet<string>) => (worksOn(metric, words) ? 1 : 0),
  }))
  return [...topics, ...gaps]
}
