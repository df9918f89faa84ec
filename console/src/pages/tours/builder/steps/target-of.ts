import type { SelectorCandidate } from '@tutti/player/protocol'

/** The number of fallback selectors a step keeps. */
const maxCandidates = 3

/** The target fields of a step for the chosen selector, with the next best ones as fallbacks. */
export function targetOf(candidates: readonly Pick<SelectorCandidate, 'selector'>[], chosen: string) {
  const others = candidates.map(({ selector }) => selector).filter((selector) => selector !== chosen)
  return { selector: chosen, candidates: others.slice(0, maxCandidates) }
}
