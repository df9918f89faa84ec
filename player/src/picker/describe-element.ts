import { finder } from '@medv/finder'
import { textOf } from '../find-element.ts'
import type { SelectorCandidate } from '../protocol.ts'
import { isGenerated, isStateClass } from './names.ts'
import { type ElementFacts, rankSelectors } from './rank-selectors.ts'

/** How far up lasting ancestors are looked for, and how long a selector by place may take to find. */
const depth = 12
const finderMs = 500

/** The ways to find an element again, the best first. */
export function selectorsOf(element: Element): readonly SelectorCandidate[] {
  return rankSelectors({
    element: factsOf(element),
    ancestors: ancestorsOf(element).slice(0, depth).map(factsOf),
    count: (selector) => document.querySelectorAll(selector).length,
    countWithText: (selector, text) =>
      [...document.querySelectorAll(selector)].filter((one) => textOf(one) === text).length,
    byPlace: () => selectorByPlace(element),
  })
}

/** An element in words: `button "Save"`. */
export function describeElement(element: Element): string {
  const name = element.getAttribute('aria-label') ?? textOf(element)?.slice(0, 40)
  const tag = element.getAttribute('role') ?? element.localName
  return name === undefined ? tag : `${tag} “${name}”`
}

function factsOf(element: Element): ElementFacts {
  const attributes = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]))
  return { tag: element.localName, attributes, text: textOf(element) }
}

function ancestorsOf(element: Element): readonly Element[] {
  const parent = element.parentElement
  return parent === null ? [] : [parent, ...ancestorsOf(parent)]
}

function selectorByPlace(element: Element): string | undefined {
  try {
    return finder(element, {
      timeoutMs: finderMs,
      idName: (name) => !isGenerated(name),
      className: (name) => !isGenerated(name) && !isStateClass(name),
      attr: () => false,
    })
  } catch {
    return undefined
  }
}
