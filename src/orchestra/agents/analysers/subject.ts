import type { TextAnalysis } from '#models'

/** The input of an analyser. */
export interface Subject {
  readonly text: string
  readonly analysis: TextAnalysis
  /** The value of the parameter that the analyser names; empty without one. */
  readonly parameter: string
  readonly signal: AbortSignal
}

/** The result of an analyser, as JSON. `reason` says why nothing could be measured. */
export type Finding = Readonly<Record<string, unknown>> & { readonly reason?: string | null }

/** An issue with a passage of the text. */
export interface Issue {
  readonly rule: string
  readonly severity: 'high' | 'medium' | 'low'
  readonly excerpt: string
  readonly message: string
}

export const maxIssues = 50
const maxExcerptLength = 160

/** An excerpt long enough to find the passage again. */
export function excerptOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= maxExcerptLength ? line : `${line.slice(0, maxExcerptLength - 1)}…`
}

/** `fail` with an issue of high severity, `review` with one of medium severity. */
export function outcomeOf(issues: readonly Issue[]): 'pass' | 'review' | 'fail' {
  if (issues.some(({ severity }) => severity === 'high')) return 'fail'
  return issues.some(({ severity }) => severity === 'medium') ? 'review' : 'pass'
}
