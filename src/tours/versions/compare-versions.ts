import { isDeepStrictEqual } from 'node:util'
import type { Tip } from '../tour.ts'
import type { VersionContent } from './version-store.ts'

/** A field with another value. */
interface FieldChange {
  readonly field: string
  readonly old_value: unknown
  readonly new_value: unknown
}

interface StepMention {
  readonly id: string
  readonly label: string
}

export interface VersionDiff {
  readonly equal: boolean
  /** Fields of the tour itself. */
  readonly tour: FieldChange[]
  readonly steps: {
    readonly added: StepMention[]
    readonly removed: StepMention[]
    readonly changed: (StepMention & { readonly changes: FieldChange[] })[]
    readonly moved: (StepMention & { readonly from: number; readonly to: number })[]
  }
  /** The changes as sentences. */
  readonly summary: string[]
}

/** Compares two versions of a tour. Steps are the same when they have the same id. */
export function compareVersions(before: VersionContent, after: VersionContent): VersionDiff {
  const { tips: oldTips, ...oldFields } = before
  const { tips: newTips, ...newFields } = after
  const tour = changesOf(oldFields, newFields)
  const common = newTips.filter(({ id }) => findTip(oldTips, id) !== undefined)
  const steps = {
    added: newTips.filter(({ id }) => findTip(oldTips, id) === undefined).map(mention),
    removed: oldTips.filter(({ id }) => findTip(newTips, id) === undefined).map(mention),
    changed: common.flatMap((tip) => {
      const changes = changesOf(withoutPlace(findTip(oldTips, tip.id) ?? tip), withoutPlace(tip))
      return changes.length === 0 ? [] : [{ ...mention(tip), changes }]
    }),
    moved: findMoved(oldTips, common),
  }
  const summary = summarise(tour, steps)
  return { equal: summary.length === 0, tour, steps, summary }
}

function findTip(tips: readonly Tip[], id: string): Tip | undefined {
  return tips.find((tip) => tip.id === id)
}

function mention({ id, label }: Tip): StepMention {
  return { id, label }
}

/** The position of a step is compared by its order among the steps of both versions. */
function withoutPlace({ id: _id, weight: _weight, ...fields }: Tip) {
  return fields
}

function changesOf(before: object, after: object): FieldChange[] {
  const [old, now] = [before, after].map((fields) => new Map<string, unknown>(Object.entries(fields)))
  return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].flatMap((field) => {
    const [old_value, new_value] = [old?.get(field) ?? null, now?.get(field) ?? null]
    return isDeepStrictEqual(old_value, new_value) ? [] : [{ field, old_value, new_value }]
  })
}

function findMoved(oldTips: readonly Tip[], common: readonly Tip[]) {
  const order = oldTips.map(({ id }) => id).filter((id) => findTip(common, id) !== undefined)
  return common.flatMap((tip, index) => {
    const from = order.indexOf(tip.id)
    return from === index ? [] : [{ ...mention(tip), from: from + 1, to: index + 1 }]
  })
}

function summarise(tour: readonly FieldChange[], steps: VersionDiff['steps']): string[] {
  return [
    ...tour.map(({ field }) => `The ${fieldNames[field] ?? field} changed.`),
    ...steps.added.map((step) => `The step ${name(step)} was added.`),
    ...steps.removed.map((step) => `The step ${name(step)} was removed.`),
    ...steps.changed.map((step) => {
      const fields = step.changes.map(({ field }) => fieldNames[field] ?? field).join(', ')
      return `The step ${name(step)} changed: ${fields}.`
    }),
    ...(steps.moved.length === 0 ? [] : ['The order of the steps changed.']),
  ]
}

function name({ label }: StepMention): string {
  return `“${label}”`
}

const fieldNames: Readonly<Record<string, string>> = {
  label: 'title',
  status: 'publication',
  recipe_id: 'recipe',
  launch: 'start mode',
  langcode: 'language',
  site_id: 'site',
  body: 'text',
  selector: 'element',
  location: 'placement',
  candidates: 'fallback selectors',
  target_text: 'text of the element',
  advance: 'way it continues',
}
