import { wrongHere } from '../errors.ts'
import { inOrder, type Tip } from '../tour.ts'

export type Order = readonly (string | { readonly id: string; readonly weight?: number })[]

/** The same steps in another order. Throws unless it names each of them once. */
export function reorderSteps(tips: readonly Tip[], order: Order): Tip[] {
  const ids = idsOf(order)
  const byId = new Map(tips.map((tip) => [tip.id, tip]))
  const message = findMistake(ids, byId)
  if (message !== undefined) throw wrongHere({ path: 'order', message, code: 'not_a_permutation' })
  return inOrder(ids.flatMap((id) => byId.get(id) ?? []))
}

/** Weights decide when every entry has one; equal ones stand as they are listed. */
function idsOf(order: Order): string[] {
  const entries = order.map((entry) => (typeof entry === 'string' ? { id: entry } : entry))
  const weighted = entries.every(({ weight }) => weight !== undefined)
  const sorted = weighted
    ? entries.toSorted((one, other) => (one.weight ?? 0) - (other.weight ?? 0))
    : entries
  return sorted.map(({ id }) => id)
}

function findMistake(ids: readonly string[], byId: ReadonlyMap<string, Tip>): string | undefined {
  const unknown = ids.find((id) => !byId.has(id))
  if (unknown !== undefined) return `names "${unknown}", which is no step of this tour`
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return `names "${twice}" twice`
  const missing = [...byId.keys()].find((id) => !ids.includes(id))
  return missing === undefined ? undefined : `leaves "${missing}" out`
}
