import type { Launch } from '@tutti/player/protocol'
import type { SavedTour } from './saved-tour.ts'
import { isSameList, isSameStep, type Step, type TourDocument } from './tour-document.ts'

interface TourSettings {
  readonly label?: string
  readonly status?: boolean
  readonly launch?: Launch
  readonly routes?: readonly string[]
}

/**
 * One request that saves a part of the wanted document. `about` is the key of a step, or a name that no step key can have.
 */
export type SaveCall =
  | {
      readonly kind: 'settings'
      readonly about: 'tour:settings' | 'tour:status'
      readonly settings: TourSettings
    }
  | { readonly kind: 'add'; readonly about: string; readonly step: Step }
  | { readonly kind: 'change'; readonly about: string; readonly id: string; readonly step: Step }
  | { readonly kind: 'remove'; readonly about: string; readonly id: string }
  | { readonly kind: 'reorder'; readonly about: 'tour:order'; readonly order: readonly string[] }

/**
 * The next request, or undefined when all is saved. The order of requests avoids refusals: a tour is unpublished before it
 * loses its steps, published after it got them, and never left empty.
 */
export function nextCall(
  saved: SavedTour,
  wanted: TourDocument,
  isRefused: (call: SaveCall) => boolean = () => false,
): SaveCall | undefined {
  return callsFor(saved, wanted).find((call) => !isRefused(call))
}

function callsFor(saved: SavedTour, wanted: TourDocument): SaveCall[] {
  const { sent } = saved
  const additions = additionsFor(saved, wanted)
  const removals = removalsFor(saved, wanted)
  const emptiesIt = removals.length === sent.steps.length
  return [
    ...(sent.isPublished && !wanted.isPublished ? [statusCall(false)] : []),
    ...settingsFor(sent, wanted),
    ...changesFor(saved, wanted),
    ...(emptiesIt ? [...additions, ...removals] : [...removals, ...additions]),
    ...orderFor(saved, wanted),
    ...(!sent.isPublished && wanted.isPublished ? [statusCall(true)] : []),
  ]
}

function statusCall(status: boolean): SaveCall {
  return { kind: 'settings', about: 'tour:status', settings: { status } }
}

function settingsFor(sent: TourDocument, wanted: TourDocument): SaveCall[] {
  // Every step must be on a route of its tour: a route that stored steps still use is removed after they have left it.
  const leaving = sent.routes.filter(
    (route) => !wanted.routes.includes(route) && sent.steps.some((step) => step.route === route),
  )
  const routes = [...wanted.routes, ...leaving]
  const settings: TourSettings = {
    ...(sent.label === wanted.label ? {} : { label: wanted.label }),
    ...(sent.launch === wanted.launch ? {} : { launch: wanted.launch }),
    ...(isSameList(sent.routes, routes) ? {} : { routes }),
  }
  return Object.keys(settings).length === 0 ? [] : [{ kind: 'settings', about: 'tour:settings', settings }]
}

function changesFor({ sent, ids }: SavedTour, wanted: TourDocument): SaveCall[] {
  return wanted.steps.flatMap((step): SaveCall[] => {
    const before = sent.steps.find(({ key }) => key === step.key)
    const id = ids.get(step.key)
    if (before === undefined || id === undefined || isSameStep(before, step)) return []
    return [{ kind: 'change', about: step.key, id, step }]
  })
}

function additionsFor({ sent }: SavedTour, wanted: TourDocument): SaveCall[] {
  return wanted.steps
    .filter(({ key }) => !sent.steps.some((it) => it.key === key))
    .map((step) => ({ kind: 'add', about: step.key, step }))
}

function removalsFor({ sent, ids }: SavedTour, wanted: TourDocument): SaveCall[] {
  return sent.steps.flatMap(({ key }): SaveCall[] => {
    const id = ids.get(key)
    const isWanted = wanted.steps.some((it) => it.key === key)
    return isWanted || id === undefined ? [] : [{ kind: 'remove', about: key, id }]
  })
}

/**
 * The request that reorders the stored steps. It waits until removed steps are deleted; new steps are ordered once they are
 * stored.
 */
function orderFor({ sent, ids }: SavedTour, wanted: TourDocument): SaveCall[] {
  const now = sharedKeys(sent.steps, wanted.steps)
  const then = sharedKeys(wanted.steps, sent.steps)
  if (isSameList(now, then) || now.length !== sent.steps.length) return []
  return [{ kind: 'reorder', about: 'tour:order', order: then.flatMap((key) => ids.get(key) ?? []) }]
}

function sharedKeys(steps: readonly Step[], others: readonly Step[]): string[] {
  return steps.map(({ key }) => key).filter((key) => others.some((it) => it.key === key))
}
