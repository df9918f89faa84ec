import type { SavedTour } from './saved-tour.ts'
import { isSameList, isSameStep, isSameTarget, type Step, type TourDocument } from './tour-document.ts'

/** One field that both sides changed to different values. */
export interface Clash {
  /** The name of the field, such as `Title of “Welcome”`. */
  readonly what: string
  readonly mine: string
  readonly theirs: string
}

export interface Merged {
  readonly document: TourDocument
  readonly clashes: readonly Clash[]
}

export type Side = 'mine' | 'theirs'

/** The common base: as this window sent it, and as the server stored it. */
export type MergeBase = Pick<SavedTour, 'sent' | 'kept'>

/**
 * Merges two changed versions of one tour. A field that one side changed is taken from that side; in a clash, the preferred
 * side decides.
 */
export function mergeDocuments(
  base: MergeBase,
  mine: TourDocument,
  theirs: TourDocument,
  prefer: Side,
): Merged {
  const clashes: Clash[] = []

  /** The merged value of one field. */
  function choose<Value>(place: Place<Value>): Value {
    const { mineChanged, theirsChanged } = place
    if (!mineChanged || !theirsChanged || place.isSame) return theirsChanged ? place.theirs : place.mine
    const { what, tell } = place
    clashes.push({ what, mine: tell(place.mine), theirs: tell(place.theirs) })
    return prefer === 'mine' ? place.mine : place.theirs
  }

  function chooseField<Name extends 'label' | 'isPublished' | 'launch'>(
    name: Name,
    what: string,
    tell: (value: TourDocument[Name]) => string,
  ): TourDocument[Name] {
    return choose({
      what,
      tell,
      mine: mine[name],
      theirs: theirs[name],
      isSame: mine[name] === theirs[name],
      mineChanged: mine[name] !== base.sent[name],
      theirsChanged: theirs[name] !== base.kept[name],
    })
  }

  const settings = {
    label: chooseField('label', 'Tour name', (label) => label),
    isPublished: chooseField('isPublished', 'State', (is) => (is ? 'Published' : 'Draft')),
    launch: chooseField('launch', 'Start mode', (launch) => launch),
    routes: choose({
      what: 'Pages',
      tell: (routes) => routes.join(', ') || 'none',
      mine: mine.routes,
      theirs: theirs.routes,
      isSame: isSameList(mine.routes, theirs.routes),
      mineChanged: !isSameList(mine.routes, base.sent.routes),
      theirsChanged: !isSameList(theirs.routes, base.kept.routes),
    }),
  }

  /** Removes a step that one side removed, unless the other side changed it. */
  function chooseWhetherItStays(step: Step, removedBy: Side, isTouched: boolean): Step | undefined {
    const stays = { [removedBy]: undefined, [removedBy === 'mine' ? 'theirs' : 'mine']: step }
    return choose<Step | undefined>({
      what: `“${step.title}”`,
      tell: (it) => (it === undefined ? 'Deleted' : 'Changed'),
      mine: stays['mine'],
      theirs: stays['theirs'],
      isSame: false,
      mineChanged: removedBy === 'mine' || isTouched,
      theirsChanged: removedBy === 'theirs' || isTouched,
    })
  }

  function stepOf(key: string): Step | undefined {
    const [sent, kept] = [find(base.sent, key), find(base.kept, key)]
    const [own, other] = [find(mine, key), find(theirs, key)]
    if (own === undefined && other === undefined) return undefined
    if (sent === undefined || kept === undefined) return prefer === 'mine' ? (own ?? other) : (other ?? own)
    if (own !== undefined && other !== undefined)
      return mergeStep({ sent, kept, mine: own, theirs: other }, choose)
    if (own !== undefined) return chooseWhetherItStays(own, 'theirs', !isSameStep(own, sent))
    return other && chooseWhetherItStays(other, 'mine', !isSameStep(other, kept))
  }

  const keys = new Set([...mine.steps, ...theirs.steps].map(({ key }) => key))
  const steps = new Map([...keys].flatMap((key) => entryOf(key, stepOf(key))))
  const order = mergeOrder({ base: base.sent, mine, theirs, stays: new Set(steps.keys()) }, choose)
  return { document: { ...settings, steps: order.flatMap((key) => steps.get(key) ?? []) }, clashes }
}

/** One field of a document, with the value of each side. */
interface Place<Value> {
  readonly what: string
  readonly tell: (value: Value) => string
  readonly mine: Value
  readonly theirs: Value
  readonly isSame: boolean
  readonly mineChanged: boolean
  readonly theirsChanged: boolean
}

type Choose = <Value>(place: Place<Value>) => Value

function find({ steps }: TourDocument, key: string): Step | undefined {
  return steps.find((step) => step.key === key)
}

function entryOf(key: string, step: Step | undefined): Array<[string, Step]> {
  return step === undefined ? [] : [[key, step]]
}

interface Orders {
  readonly base: TourDocument
  readonly mine: TourDocument
  readonly theirs: TourDocument
  /** The steps that are kept. */
  readonly stays: ReadonlySet<string>
}

/** The order of the side that moved steps; a step that only the other side has is placed after its predecessor there. */
function mergeOrder({ base, mine, theirs, stays }: Orders, choose: Choose): string[] {
  const inMine = mine.steps.map(({ key }) => key)
  const inTheirs = theirs.steps.map(({ key }) => key)
  const isShared = (key: string) => inMine.includes(key) && inTheirs.includes(key)
  const before = base.steps.map(({ key }) => key).filter(isShared)
  const [mineNow, theirsNow] = [inMine, inTheirs].map((keys) => keys.filter((key) => before.includes(key)))
  const first = choose({
    what: 'Step order',
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

interface Sides {
  readonly sent: Step
  readonly kept: Step
  readonly mine: Step
  readonly theirs: Step
}

/** Merges two changed versions of one step by field; its element and its placement count as one field. */
function mergeStep({ sent, kept, mine, theirs }: Sides, choose: Choose): Step {
  function chooseText(name: 'title' | 'body', what: string): string {
    return choose({
      what: `${what} of “${mine.title}”`,
      tell: (text) => text,
      mine: mine[name],
      theirs: theirs[name],
      isSame: mine[name] === theirs[name],
      mineChanged: mine[name] !== sent[name],
      theirsChanged: theirs[name] !== kept[name],
    })
  }
  const target = choose({
    what: `Element of “${mine.title}”`,
    tell: tellTarget,
    mine,
    theirs,
    isSame: isSamePlacing(mine, theirs),
    mineChanged: !isSamePlacing(mine, sent),
    theirsChanged: !isSamePlacing(theirs, kept),
  })
  const route = choose({
    what: `Page of “${mine.title}”`,
    tell: (it: string | null) => it ?? 'every page of the tour',
    mine: mine.route,
    theirs: theirs.route,
    isSame: mine.route === theirs.route,
    mineChanged: mine.route !== sent.route,
    theirsChanged: theirs.route !== kept.route,
  })
  return {
    ...target,
    key: mine.key,
    title: chooseText('title', 'Title'),
    body: chooseText('body', 'Text'),
    route,
  }
}

function isSamePlacing(one: Step, other: Step): boolean {
  return one.location === other.location && isSameTarget(one, other)
}

function tellTarget({ location, selector }: Step): string {
  return location === 'center' ? 'the middle of the page' : `${location} of ${selector}`
}
