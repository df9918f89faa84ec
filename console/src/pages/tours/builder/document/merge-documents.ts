import { mergeOrder } from './merge-order.ts'
import { mergeStep } from './merge-step.ts'
import type { SavedTour } from './saved-tour.ts'
import { isSameList, isSameStep, type Step, type TourDocument } from './tour-document.ts'

/** One thing that both changed, each in their own way. */
export interface Clash {
  /** Such as `The title of “Welcome”`. */
  readonly what: string
  readonly mine: string
  readonly theirs: string
}

export interface Merged {
  readonly document: TourDocument
  readonly clashes: readonly Clash[]
}

export type Side = 'mine' | 'theirs'

/** What both began with: as this window sent it, and as the platform kept that. */
export type MergeBase = Pick<SavedTour, 'sent' | 'kept'>

/**
 * Brings two changes of one tour together. What only one of them touched is taken from that one; where they clash, the
 * preferred side decides.
 */
export function mergeDocuments(
  base: MergeBase,
  mine: TourDocument,
  theirs: TourDocument,
  prefer: Side,
): Merged {
  const clashes: Clash[] = []

  /** The value of one place, given what each side makes of it. */
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
    label: chooseField('label', 'The name of the tour', (label) => label),
    isPublished: chooseField('isPublished', 'Whether it is published', (is) => (is ? 'Published' : 'Draft')),
    launch: chooseField('launch', 'How it starts', (launch) => launch),
    routes: choose({
      what: 'Its pages',
      tell: (routes) => routes.join(', ') || 'none',
      mine: mine.routes,
      theirs: theirs.routes,
      isSame: isSameList(mine.routes, theirs.routes),
      mineChanged: !isSameList(mine.routes, base.sent.routes),
      theirsChanged: !isSameList(theirs.routes, base.kept.routes),
    }),
  }

  /** A step that one side removed goes, unless the other side changed it meanwhile. */
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

/** One place of a document, as each side has it. */
interface Place<Value> {
  readonly what: string
  readonly tell: (value: Value) => string
  readonly mine: Value
  readonly theirs: Value
  readonly isSame: boolean
  readonly mineChanged: boolean
  readonly theirsChanged: boolean
}

export type Choose = <Value>(place: Place<Value>) => Value

function find({ steps }: TourDocument, key: string): Step | undefined {
  return steps.find((step) => step.key === key)
}

function entryOf(key: string, step: Step | undefined): Array<[string, Step]> {
  return step === undefined ? [] : [[key, step]]
}
