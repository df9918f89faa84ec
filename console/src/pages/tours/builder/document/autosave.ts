import { ApiFailure } from '../../../../api/api-failure.ts'
import { afterCall, type CallAnswer } from './after-call.ts'
import { nextCall, type SaveCall } from './next-call.ts'
import { type KeptTour, type SavedTour, savedAsRead } from './saved-tour.ts'
import { isSameStep, type Step, type TourDocument } from './tour-document.ts'

/** The outcome of a request. All other failures are thrown. */
export type CallOutcome =
  | { readonly kind: 'agreed'; readonly answer: CallAnswer }
  /** Another user changed the tour; this is the current version. */
  | { readonly kind: 'conflict'; readonly tour: KeptTour }

/**
 * | state    | meaning                                   | next                                                      |
 * |----------|-------------------------------------------|-----------------------------------------------------------|
 * | saved    | the platform has all changes              | a change: waiting                                         |
 * | waiting  | further changes are awaited for a moment  | the pause ends: saving                                    |
 * | saving   | a request is in flight                    | accepted: the next request, or saved; else a state below  |
 * | refused  | all but the refused changes is saved      | a change: waiting                                         |
 * | failed   | no usable response arrived                | after a pause, or on `hurry`: saving                      |
 * | conflict | another user changed the tour             | the user chooses a version: saving                        |
 */
export type SaveState =
  | { readonly name: 'saved' | 'waiting' | 'saving' | 'refused' }
  | { readonly name: 'failed'; readonly error: unknown; readonly triesAgain: boolean }
  | { readonly name: 'conflict'; readonly theirs: SavedTour; readonly changedBy: string | null }

export interface Refusal {
  /** The refused request as JSON, to recognise it. */
  readonly call: string
  readonly failure: ApiFailure
}

export interface Autosave {
  readonly read: () => {
    readonly state: SaveState
    readonly saved: SavedTour
    readonly refusals: ReadonlyMap<string, Refusal>
  }
  /** Sets the document to save. */
  readonly want: (document: TourDocument) => void
  /** Saves waiting changes now, or retries a failed request. */
  readonly hurry: () => void
  /** Continues from another user's version of the tour. */
  readonly goOnFrom: (theirs: SavedTour, wanted: TourDocument) => void
  /** Saves waiting changes, and stops retries until the next change. */
  readonly rest: () => void
}

interface AutosaveOptions {
  readonly saved: SavedTour
  readonly send: (call: SaveCall, revision: number) => Promise<CallOutcome>
  readonly onChange: () => void
}

const gatherMs = 700
const shortestPauseMs = 2_000
const maxPauseMs = 30_000

/**
 * Saves the document of this window to the platform, one request at a time, in an order that leaves the stored tour valid.
 */
export function createAutosave({ saved: from, send, onChange }: AutosaveOptions): Autosave {
  let saved = from
  let wanted = from.sent
  let state: SaveState = { name: 'saved' }
  let refusals: ReadonlyMap<string, Refusal> = new Map()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let resting = false
  /** A step whose creation got no response: the platform may have added it. */
  let maybeAdded: Step | undefined

  function set(next: SaveState): void {
    state = next
    onChange()
  }

  function later(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), ms)
  }

  const isRefused = (call: SaveCall) => refusals.get(call.about)?.call === JSON.stringify(call)

  async function save(): Promise<void> {
    clearTimeout(timer)
    if (state.name === 'saving' || state.name === 'conflict') return
    const call = nextCall(saved, wanted, isRefused)
    if (call === undefined) return set({ name: nextCall(saved, wanted) === undefined ? 'saved' : 'refused' })
    set({ name: 'saving' })
    const before = wanted
    try {
      settle(call, await send(call, saved.revision), before)
    } catch (error) {
      fail(call, error)
    }
  }

  function settle(call: SaveCall, outcome: CallOutcome, before: TourDocument): void {
    failures = 0
    if (outcome.kind === 'conflict') {
      const theirs = savedAsRead(outcome.tour, withAdded(saved.ids, outcome.tour, maybeAdded))
      return set({ name: 'conflict', theirs, changedBy: outcome.tour.changedBy })
    }
    saved = afterCall(saved, call, outcome.answer)
    // Whether a tour can be published depends on all of its fields, so a refused publication is sent again.
    refusals = without(refusals, [call.about, 'tour:status'])
    goOn(wanted === before ? 0 : gatherMs)
  }

  function fail(call: SaveCall, error: unknown): void {
    if (error instanceof ApiFailure && (error.status === 400 || error.status === 422)) {
      refusals = new Map([...refusals, [call.about, { call: JSON.stringify(call), failure: error }]])
      return goOn(0)
    }
    const triesAgain = error instanceof ApiFailure && error.retryable
    if (call.kind === 'add') maybeAdded = call.step
    set({ name: 'failed', error, triesAgain })
    if (triesAgain && !resting) later(Math.min(maxPauseMs, shortestPauseMs * 2 ** failures))
    failures += 1
  }

  function goOn(pauseMs: number): void {
    set({ name: 'waiting' })
    if (pauseMs === 0) void save()
    else later(pauseMs)
  }

  return {
    read: () => ({ state, saved, refusals }),
    want(document) {
      wanted = document
      if (state.name === 'saving' || state.name === 'conflict') return
      if (state.name === 'failed' && state.triesAgain && !resting) return
      resting = false
      // A change that was undone before it was sent needs no request, and no pause.
      goOn(nextCall(saved, wanted, isRefused) === undefined ? 0 : gatherMs)
    },
    hurry() {
      if (state.name === 'waiting' || state.name === 'failed') void save()
    },
    goOnFrom(theirs, document) {
      saved = theirs
      wanted = document
      refusals = new Map()
      goOn(0)
    },
    rest() {
      resting = true
      clearTimeout(timer)
      if (state.name === 'waiting') void save()
    },
  }
}

function without<Value>(
  map: ReadonlyMap<string, Value>,
  keys: readonly string[],
): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([key]) => !keys.includes(key)))
}

/** Recognises a step whose creation got no response by its content, so that it is not taken for another user's. */
function withAdded(
  ids: ReadonlyMap<string, string>,
  { steps }: KeptTour,
  added: Step | undefined,
): ReadonlyMap<string, string> {
  const known = new Set(ids.values())
  const found =
    added && steps.find((step) => !known.has(step.id) && isSameStep({ ...step, key: added.key }, added))
  return added === undefined || found === undefined ? ids : new Map([...ids, [added.key, found.id]])
}
