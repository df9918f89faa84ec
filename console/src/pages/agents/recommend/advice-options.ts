import { readText } from '../../../parts/read-search.ts'
import type { AdviceRequest } from '../workflow-queries.ts'

const qualities = ['draft', 'standard', 'high', 'premium'] as const
const priorities = ['quality', 'cost', 'speed', 'balanced'] as const
const risks = ['low', 'medium', 'high'] as const

/** The options of a recommendation, as search parameters. */
export interface AdviceOptions {
  /** The type of the content, its length in characters, its language and its audience. */
  type?: string
  length?: number
  language?: string
  audience?: string
  /** The current quality of the content, of 100. */
  quality?: number
  /** Comma-separated search keywords. */
  find?: string
  /** The maximum cost in dollars and duration in seconds of a run. */
  cost?: number
  time?: number
  level?: (typeof qualities)[number]
  prefer?: Exclude<(typeof priorities)[number], 'balanced'>
  risk?: Exclude<(typeof risks)[number], 'medium'>
}

/** Parses options and drops invalid values and defaults. */
export function readAdviceOptions(from: Readonly<Record<string, unknown>>): AdviceOptions {
  const level = qualities.find((name) => name === from['level'])
  const prefer = priorities.find((name) => name === from['prefer'])
  const risk = risks.find((name) => name === from['risk'])
  return {
    ...textOf('type', from),
    ...numberOf('length', from, 1_000_000_000, true),
    ...textOf('language', from),
    ...textOf('audience', from),
    ...numberOf('quality', from, 100),
    ...textOf('find', from),
    ...numberOf('cost', from, 1_000_000),
    ...numberOf('time', from, 31_536_000),
    ...(level === undefined ? {} : { level }),
    ...(prefer === undefined || prefer === 'balanced' ? {} : { prefer }),
    ...(risk === undefined || risk === 'medium' ? {} : { risk }),
  }
}

/** The options as a request body. */
export function requestFor(options: AdviceOptions): AdviceRequest {
  const { type, length, language, audience, quality, find = '', cost, time, level, prefer, risk } = options
  const topics = [...new Set(find.split(',').map((topic) => topic.trim()))].filter((topic) => topic !== '')
  return {
    context: {
      ...(type === undefined ? {} : { content_type: type }),
      ...(length === undefined ? {} : { content_length: length }),
      ...(language === undefined ? {} : { language }),
      ...(audience === undefined ? {} : { target_audience: audience }),
      ...(quality === undefined ? {} : { current_quality_score: quality }),
      ...(topics.length === 0 ? {} : { seo_requirements: topics.slice(0, 20) }),
    },
    requirements: {
      ...(cost === undefined ? {} : { max_cost: cost }),
      ...(time === undefined ? {} : { max_duration: time }),
      ...(level === undefined ? {} : { quality_level: level }),
    },
    preferences: {
      prioritize: prefer ?? 'balanced',
      risk_tolerance: risk ?? 'medium',
      explain_recommendations: true,
    },
  }
}

function textOf<Name extends string>(name: Name, from: Readonly<Record<string, unknown>>) {
  const text = readText(from[name])?.slice(0, 200)
  return (text === undefined ? {} : { [name]: text }) as { [Key in Name]?: string }
}

function numberOf<Name extends string>(
  name: Name,
  from: Readonly<Record<string, unknown>>,
  most: number,
  isWhole = false,
) {
  const text = readText(from[name])
  const number = Number(text)
  const isSense =
    text !== undefined && number >= 0 && number <= most && (!isWhole || Number.isSafeInteger(number))
  return (isSense ? { [name]: number } : {}) as { [Key in Name]?: number }
}
