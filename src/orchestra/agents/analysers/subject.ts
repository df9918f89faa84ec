import type { TextAnalysis } from '#models'

/** What analysers look at. */
export interface Subject {
  readonly text: string
  readonly analysis: TextAnalysis
  /** The value of the parameter that the analyser names; an empty text without one. */
  readonly parameter: string
  readonly signal: AbortSignal
}

/** What an analyser found, in JSON. A `reason` says why nothing could be measured. */
export type Finding = Readonly<Record<string, unknown>> & { readonly reason?: string | null }

/** A piece of a text that something is said about. */
export interface Spot {
  readonly rule: string
  readonly severity: 'high' | 'medium' | 'low'
  readonly excerpt: string
  readonly message: string
}

export const mostSpots = 50
const longestExcerpt = 160

/** Enough of a text to find it again. */
export function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= longestExcerpt ? line : `${line.slice(0, longestExcerpt - 1)}…`
}

/** `fail` with anything severe, `review` with anything else worth a look. */
export function verdictOf(spots: readonly Spot[]): 'pass' | 'review' | 'fail' {
  if (spots.some(({ severity }) => severity === 'high')) return 'fail'
  return spots.some(({ severity }) => severity === 'medium') ? 'review' : 'pass'
}
