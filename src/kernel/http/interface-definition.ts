import type { TSchema } from 'typebox'
import type { KernelFailureCode, Problem } from '#kernel/errors'
import type { RatePolicy } from './rate-limit.ts'

/** What an interface needs to know of a failure to write its own error body. */
export interface ErrorView {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
  readonly retryAfterSeconds: number | undefined
  readonly requestId: string
  /** Where the caller reached this server; empty when they did not say. */
  readonly origin: string
  readonly at: Date
}

/** How an interface words a failure from below: its own code, and its own status where that differs. */
export type Wording = string | { readonly code: string; readonly status: number }

/** One of the platform's interfaces: a family of paths with one voice for errors and one OpenAPI description. */
export interface InterfaceDefinition {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly description: string
  /** Paths that are this interface's, even when nothing answers there. The longest match wins. */
  readonly prefixes: readonly string[]
  /** Every kernel failure in this interface's words; failures of deeper capabilities may be listed too. */
  readonly wording: Readonly<Record<KernelFailureCode, Wording> & Record<string, Wording>>
  readonly errorBody: (error: ErrorView) => unknown
  readonly errorSchema: TSchema
  /** How its requests are counted, unless a route says otherwise; without one they are not. */
  readonly ratePolicy?: RatePolicy
}

/** Finds the interface a path belongs to, even when no route answers there. */
export function interfaceOfPath(
  interfaces: readonly InterfaceDefinition[],
  path: string,
): InterfaceDefinition | undefined {
  let best: InterfaceDefinition | undefined
  let bestLength = -1
  for (const candidate of interfaces) {
    for (const prefix of candidate.prefixes) {
      const inside = path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
      if (inside && prefix.length > bestLength) {
        best = candidate
        bestLength = prefix.length
      }
    }
  }
  return best
}
