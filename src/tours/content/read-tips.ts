import { type Route, renumberTips, type Tip } from '../tour.ts'
import { machineName, uniqueName } from './machine-name.ts'
import type { Problems } from './problems.ts'
import { readTip, type TipInput } from './read-tip.ts'

/** The id that stands for a step that is not stored yet; no step may have it. */
export const newStepId = 'new-step'

export interface ListedTipInput extends TipInput {
  readonly id?: string | undefined
  readonly weight?: number | undefined
}

/**
 * Validates all steps of a tour. They are ordered by weight when every step has one, else as listed. A step without an
 * id gets one from its label.
 */
export function readTips(
  given: readonly ListedTipInput[],
  {
    routes,
    path,
    found,
  }: { readonly routes: readonly Route[]; readonly path: string; readonly found: Problems },
): Tip[] {
  const ids = new Set<string>()
  for (const [index, { id }] of given.entries()) {
    const field = `${path}[${index}].id`
    if (id === newStepId) {
      found.unprocessable.push({ path: field, message: `must not be ${newStepId}`, code: 'reserved' })
    } else if (id !== undefined && ids.has(id)) {
      found.unprocessable.push({ path: field, message: `repeats "${id}"`, code: 'duplicate' })
    }
    if (id !== undefined) ids.add(id)
  }
  const read = given.map((tip, index) => {
    const id = tip.id ?? createStepId(tip.label, (name) => ids.has(name))
    ids.add(id)
    return readTip(tip, { id, routes, at: (field) => `${path}[${index}].${field}`, found })
  })
  if (given.some(({ weight }) => weight === undefined)) return renumberTips(read)
  const weights = new Map(read.map((tip, index) => [tip, given[index]?.weight ?? 0]))
  return renumberTips(read.toSorted((one, other) => (weights.get(one) ?? 0) - (weights.get(other) ?? 0)))
}

/** Derives a unique step id from a label. */
export function createStepId(label: string, isTaken: (id: string) => boolean): string {
  return uniqueName(machineName(label, 'step'), (id) => id === newStepId || isTaken(id))
}
