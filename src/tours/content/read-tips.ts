import { inOrder, type Route, type Tip } from '../tour.ts'
import type { Findings } from './findings.ts'
import { machineName, uniqueName } from './machine-name.ts'
import { type GivenTip, readTip } from './read-tip.ts'

/** What stands for a step that is not stored yet, and so names none. */
export const newStepId = 'new-step'

export interface GivenListedTip extends GivenTip {
  readonly id?: string | undefined
  readonly weight?: number | undefined
}

/**
 * Reads all steps of a tour. Weights decide about their order when every step has one, else they stand as they are
 * listed. A step without an id gets one from its label.
 */
export function readTips(
  given: readonly GivenListedTip[],
  {
    routes,
    path,
    found,
  }: { readonly routes: readonly Route[]; readonly path: string; readonly found: Findings },
): Tip[] {
  const ids = new Set<string>()
  for (const [index, { id }] of given.entries()) {
    const field = `${path}[${index}].id`
    if (id === newStepId) {
      found.wrong.push({ path: field, message: `must not be ${newStepId}`, code: 'reserved' })
    } else if (id !== undefined && ids.has(id)) {
      found.wrong.push({ path: field, message: `names "${id}" a second time`, code: 'duplicate' })
    }
    if (id !== undefined) ids.add(id)
  }
  const read = given.map((tip, index) => {
    const id = tip.id ?? mintStepId(tip.label, (name) => ids.has(name))
    ids.add(id)
    return readTip(tip, { id, routes, at: (field) => `${path}[${index}].${field}`, found })
  })
  if (given.some(({ weight }) => weight === undefined)) return inOrder(read)
  const weights = new Map(read.map((tip, index) => [tip, given[index]?.weight ?? 0]))
  return inOrder(read.toSorted((one, other) => (weights.get(one) ?? 0) - (weights.get(other) ?? 0)))
}

/** An id that no other step has, from what the step is called. */
export function mintStepId(label: string, isTaken: (id: string) => boolean): string {
  return uniqueName(machineName(label, 'step'), (id) => id === newStepId || isTaken(id))
}
