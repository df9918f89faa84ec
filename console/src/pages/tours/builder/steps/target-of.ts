import type { SelectorCandidate } from '@tutti/player/protocol'

/** How many more selectors a step keeps besides its own. */
const maxCandidates = 3

/** A way that was chosen to find an element, with the next best to stand in for it. */
export function targetOf(candidates: readonly Pick<SelectorCandidate, 'selector'>[], chosen: string) {
  const others = candidates.map(({ selector }) => selector).filter((selector) => selector !== chosen)
  return { selector: chosen, candidates: others.slice(0, maxCandidates) }
}
