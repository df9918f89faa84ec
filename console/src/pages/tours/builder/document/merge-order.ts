import type { Choose } from './merge-documents.ts'
import { isSameList, type TourDocument } from './tour-document.ts'

interface Orders {
  readonly base: TourDocument
  readonly mine: TourDocument
  readonly theirs: TourDocument
  /** The steps that are left. */
  readonly stays: ReadonlySet<string>
}

/** The order of who moved something; a step only the other side has stands after the one it follows there. */
export function mergeOrder({ base, mine, theirs, stays }: Orders, choose: Choose): string[] {
  const inMine = mine.steps.map(({ key }) => key)
  const inTheirs = theirs.steps.map(({ key }) => key)
  const isShared = (key: string) => inMine.includes(key) && inTheirs.includes(key)
  const before = base.steps.map(({ key }) => key).filter(isShared)
  const [mineNow, theirsNow] = [inMine, inTheirs].map((keys) => keys.filter((key) => before.includes(key)))
  const first = choose({
    what: 'The order of the steps',
    tell: (keys: readonly string[]) => keys.map((key) => titleOf([mine, theirs], key)).join(', '),
    mine: inMine,
    theirs: inTheirs,
    isSame: isSameList(mineNow ?? [], theirsNow ?? []),
    mineChanged: !isSameList(mineNow ?? [], before),
    theirsChanged: !isSameList(theirsNow ?? [], before),
  })
  const second = first === inMine ? inTheirs : inMine
  return insertMissing(first, second).filter((key) => stays.has(key))
}

function insertMissing(into: readonly string[], from: readonly string[]): string[] {
  const all = [...into]
  for (const [index, key] of from.entries()) {
    if (all.includes(key)) continue
    const follows = from[index - 1]
    all.splice(follows === undefined ? 0 : all.indexOf(follows) + 1, 0, key)
  }
  return all
}

function titleOf(documents: readonly TourDocument[], key: string): string {
  return documents.flatMap(({ steps }) => steps).find((step) => step.key === key)?.title ?? key
}
