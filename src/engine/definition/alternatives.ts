import { type Graph, targetsOf } from '../graph/graph.ts'
import type { Step } from './step-types.ts'

/** Steps by their places, a bit for each. */
type Places = Uint32Array

/** Tells of two steps whether a decision before them lets at most one of them run. */
export function createAlternatives(
  steps: readonly Step[],
  graph: Graph,
): (one: string, other: string) => boolean {
  const size = Math.ceil(steps.length / 32)
  const placeOf = new Map(steps.map(({ id }, place) => [id, place]))
  const decisions = steps
    .map((step) => [...new Set(choicesOf(step))])
    .filter((targets) => targets.length > 1)
    .map((targets) => {
      const places = new Uint32Array(size)
      for (const target of targets) add(places, placeOf.get(target) ?? 0)
      return places
    })
  const known = new Map<string, Places>()

  /** Every step without which this one cannot run, itself included: those that all steps before it need. */
  function needed(id: string): Places {
    const before = known.get(id)
    if (before !== undefined) return before
    const places = new Uint32Array(size)
    for (const [index, earlier] of [...(graph.byId.get(id)?.after ?? [])].entries()) {
      const theirs = needed(earlier)
      for (let word = 0; word < size; word += 1) {
        places[word] = index === 0 ? (theirs[word] ?? 0) : (places[word] ?? 0) & (theirs[word] ?? 0)
      }
    }
    add(places, placeOf.get(id) ?? 0)
    known.set(id, places)
    return places
  }

  return (one, other) => {
    const [mine, theirs] = [needed(one), needed(other)]
    return decisions.some((targets) => {
      let [isMine, isTheirs, isBoth] = [0, 0, 0]
      for (let word = 0; word < size; word += 1) {
        const wanted = targets[word] ?? 0
        isMine |= wanted & (mine[word] ?? 0)
        isTheirs |= wanted & (theirs[word] ?? 0)
        isBoth |= wanted & (mine[word] ?? 0) & (theirs[word] ?? 0)
      }
      return isMine !== 0 && isTheirs !== 0 && isBoth === 0
    })
  }
}

function add(places: Places, place: number): void {
  places[place >>> 5] = (places[place >>> 5] ?? 0) | (1 << (place & 31))
}

/** The steps of which a decision takes one at most. Steps that routing adds can come together. */
function choicesOf(step: Step): string[] {
  if (step.type !== 'ai_prompt') return targetsOf(step)
  const options = Object.values(step.routing_options ?? {})
  const added = new Set(options.flatMap(({ add_steps = [] }) => add_steps))
  return options.flatMap(({ continue_to }) =>
    continue_to === undefined || added.has(continue_to) ? [] : [continue_to],
  )
}
