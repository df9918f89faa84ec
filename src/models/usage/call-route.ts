import { plainText } from './call-record.ts'

/**
 * A candidate of a call and what became of it.
 *
 * | outcome   | meaning                                                                    |
 * |-----------|----------------------------------------------------------------------------|
 * | answered  | it handled the call                                                        |
 * | failed    | it was called and failed, with `code` as the reason                        |
 * | cancelled | it was called; the caller disconnected or cancelled                        |
 * | skipped   | it was not called, with `code` as the reason, such as `budget_used_up`     |
 * | not_tried | an earlier candidate ended the call                                        |
 */
export interface RouteStep {
  readonly provider: string
  readonly model: string
  /** Why the model is a candidate: `requested`, `default` (for `auto`), `route` (a target of it), or `fallback`. */
  readonly reason: 'requested' | 'default' | 'route' | 'fallback'
  readonly outcome: 'answered' | 'failed' | 'cancelled' | 'skipped' | 'not_tried'
  /** The failure; null where there was none. */
  readonly code: string | null
  /** Milliseconds from the start of the call to the attempt, and the duration of the attempt; null without an attempt. */
  readonly started_ms: number | null
  readonly duration_ms: number | null
  /** The route that the model is a target of; absent for other models and in rows of earlier versions. */
  readonly route?: RecordedRoute
}

/** A version of a route, and why its targets are tried in their order. */
export interface RecordedRoute {
  readonly name: string
  readonly version: number
  readonly strategy: string
  readonly reason: string
}

/** A model that may handle a call. */
interface RouteCandidate {
  readonly provider: string
  readonly model: { readonly id: string }
}

/** The end of an attempt, or the reason why a candidate was skipped. */
export type RouteResult = Pick<RouteStep, 'outcome'> &
  Partial<Pick<RouteStep, 'code' | 'started_ms' | 'duration_ms'>>

/** Collects what became of the candidates of one call. */
export interface CallRoute {
  /** Sets the candidates, in the order they are tried. */
  setCandidates(candidates: readonly RouteCandidate[]): void
  /** Sets the route that the call names, or that `auto` stands for, with its targets. */
  setRoute(route: RecordedRoute & { readonly entries: readonly RouteCandidate[] }): void
  /** Adds the result of a candidate after which the call goes on. */
  add(candidate: RouteCandidate, result: RouteResult): void
  /** All steps so far, then the result of this candidate, if one is given, then the candidates that were not tried. */
  describe(candidate?: RouteCandidate, result?: RouteResult): readonly RouteStep[]
}

/** Further steps are left out of the record. */
const maxSteps = 32

export function createCallRoute(requestedModel: string): CallRoute {
  let candidates: readonly RouteCandidate[] = []
  let route: RecordedRoute | undefined
  let targets: ReadonlySet<RouteCandidate> = new Set()
  const steps: RouteStep[] = []
  const tried = new Set<RouteCandidate>()

  function reasonOf(candidate: RouteCandidate): RouteStep['reason'] {
    if (targets.has(candidate)) return 'route'
    if (candidate !== candidates[0]) return 'fallback'
    return requestedModel === 'auto' ? 'default' : 'requested'
  }

  function stepOf(candidate: RouteCandidate, result: RouteResult): RouteStep {
    return {
      provider: plainText(candidate.provider),
      model: plainText(candidate.model.id),
      reason: reasonOf(candidate),
      outcome: result.outcome,
      code: result.code ?? null,
      started_ms: result.started_ms ?? null,
      duration_ms: result.duration_ms ?? null,
      ...(route !== undefined && targets.has(candidate) && { route }),
    }
  }

  return {
    setCandidates(given) {
      candidates = given
    },
    setRoute({ name, version, strategy, reason, entries }) {
      route = { name, version, strategy, reason }
      targets = new Set(entries)
    },
    add(candidate, result) {
      tried.add(candidate)
      if (steps.length < maxSteps) steps.push(stepOf(candidate, result))
    },
    describe(candidate, result) {
      const last = candidate === undefined || result === undefined ? [] : [stepOf(candidate, result)]
      const untried = candidates.filter((other) => other !== candidate && !tried.has(other))
      return [...steps, ...last, ...untried.map((other) => stepOf(other, { outcome: 'not_tried' }))].slice(
        0,
        maxSteps,
      )
    },
  }
}
