import { finder } from '@medv/finder'
import { pathSeparator } from '../../../src/tours/player/selector-path.ts'
import { textOf } from '../find-element.ts'
import { containerOf, type Root } from '../inner-roots.ts'
import type { SelectorCandidate } from '../protocol.ts'
import { isGenerated, isGeneratedClass, isStateClass } from './names.ts'
import { type ElementInfo, rankSelectors } from './rank-selectors.ts'

/** How many ancestors are considered, and the time limit for a selector by position. */
const depth = 12
const finderMs = 500

/** The selectors of an element, best first. Those of an element in a shadow root or a frame begin with the way to it. */
export function selectorsOf(element: Element): readonly SelectorCandidate[] {
  const root = element.getRootNode() as Root
  const candidates = rankSelectors({
    element: infoOf(element),
    ancestors: ancestorsOf(element).slice(0, depth).map(infoOf),
    count: (selector) => root.querySelectorAll(selector).length,
    countWithText: (selector, text) =>
      [...root.querySelectorAll(selector)].filter((one) => textOf(one) === text).length,
    byPosition: () => selectorByPosition(element, root),
  })
  const container = containerOf(element)
  if (container === undefined) return candidates
  // A way that several containers match would find their elements, too.
  const outer = selectorsOf(container).find(({ matches }) => matches === 1)
  if (outer === undefined) return []
  return candidates.map((candidate) => ({
    ...candidate,
    selector: outer.selector + pathSeparator + candidate.selector,
    stability:
      outer.stability === 'high' || candidate.stability === 'low' ? candidate.stability : outer.stability,
  }))
}

function infoOf(element: Element): ElementInfo {
  const attributes = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]))
  return { tag: element.localName, attributes, text: textOf(element) }
}

function ancestorsOf(element: Element): readonly Element[] {
  const parent = element.parentElement
  return parent === null ? [] : [parent, ...ancestorsOf(parent)]
}

function selectorByPosition(element: Element, root: Root): string | undefined {
  try {
    return finder(element, {
      // The search needs `querySelectorAll` alone, which documents and shadow roots have as well.
      root: root as unknown as Element,
      timeoutMs: finderMs,
      idName: (name) => !isGenerated(name),
      className: (name) => !isGeneratedClass(name) && !isStateClass(name),
      attr: () => false,
    })
  } catch {
    return undefined
  }
}
