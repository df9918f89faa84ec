import type { Choose } from './merge-documents.ts'
import { isSameTarget, type Step } from './tour-document.ts'

interface Sides {
  readonly sent: Step
  readonly kept: Step
  readonly mine: Step
  readonly theirs: Step
}

/** Brings two changes of one step together, field by field; its element and where the step stands to it are one. */
export function mergeStep({ sent, kept, mine, theirs }: Sides, choose: Choose): Step {
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
    what: `The element of “${mine.title}”`,
    tell: tellTarget,
    mine,
    theirs,
    isSame: isSamePlacing(mine, theirs),
    mineChanged: !isSamePlacing(mine, sent),
    theirsChanged: !isSamePlacing(theirs, kept),
  })
  const route = choose({
    what: `The page of “${mine.title}”`,
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
    title: chooseText('title', 'The title'),
    body: chooseText('body', 'The text'),
    route,
  }
}

function isSamePlacing(one: Step, other: Step): boolean {
  return one.location === other.location && isSameTarget(one, other)
}

function tellTarget({ location, selector }: Step): string {
  return location === 'center' ? 'the middle of the page' : `${location} of ${selector}`
}
