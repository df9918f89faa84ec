import { splitSelector } from '../../src/tours/player/selector-path.ts'
import { containerOf, innerRoot, type Root } from './inner-roots.ts'
import type { PlayableTip } from './protocol.ts'

export interface Found {
  readonly element: Element
  readonly selector: string
  readonly matches: number
}

/** Enough text to distinguish similar elements. */
const maxCharacters = 120

/** Finds the visible element of a step by its selector or its candidates; among several, the one with the stored text. */
export function findElement(tip: PlayableTip): Found | undefined {
  const text = toLine(tip.target_text ?? '')
  for (const selector of [tip.selector, ...(tip.candidates ?? [])]) {
    const matches = findAll(selector) ?? []
    const visible = matches.filter(isVisible)
    const withText = text === null ? undefined : visible.find((element) => textOf(element) === text)
    const element = withText ?? visible[0]
    if (element !== undefined) return { element, selector, matches: matches.length }
  }
  return undefined
}

/**
 * All elements that match a selector, inside the shadow roots and frames that it names; undefined when the browser does
 * not accept the selector.
 */
export function findAll(selector: string): Element[] | undefined {
  if (selector === '') return []
  const parts = splitSelector(selector)
  const last = parts.pop() ?? ''
  try {
    const roots = parts.reduce<readonly Root[]>(
      (outer, part) =>
        outer.flatMap((root) => [...root.querySelectorAll(part)].flatMap((it) => innerRoot(it) ?? [])),
      [document],
    )
    return roots.flatMap((root) => [...root.querySelectorAll(last)])
  } catch {
    return undefined
  }
}

/** How often an element inside a shadow root or a frame is sought: the observer of the page sees no change in there. */
const innerCheckMs = 250

/** Waits for the element of a step; undefined after the timeout or when the signal aborts. */
export async function waitForElement(
  tip: PlayableTip,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Found | undefined> {
  return await new Promise((resolve) => {
    let frame = 0
    const check = () => {
      frame = 0
      const found = findElement(tip)
      if (found !== undefined) finish(found)
    }
    // A page may change many times in a frame; one check per frame is enough.
    const observer = new MutationObserver(() => {
      frame ||= requestAnimationFrame(check)
    })
    const timer = setTimeout(() => finish(findElement(tip)), timeoutMs)
    const isInner = [tip.selector, ...(tip.candidates ?? [])].some((it) => splitSelector(it).length > 1)
    const repeated = isInner ? setInterval(check, innerCheckMs) : undefined
    const giveUp = () => finish(undefined)
    function finish(found: Found | undefined): void {
      observer.disconnect()
      clearTimeout(timer)
      clearInterval(repeated)
      cancelAnimationFrame(frame)
      signal.removeEventListener('abort', giveUp)
      resolve(found)
    }
    observer.observe(document.documentElement, { childList: true, subtree: true, attributes: true })
    signal.addEventListener('abort', giveUp)
    check()
  })
}

/** The text of an element, as stored with a picked element. */
export function textOf({ textContent }: Pick<Element, 'textContent'>): string | null {
  return toLine(textContent ?? '')
}

/** Text as the platform stores it: one line, cut at whole characters, without a trailing space. */
function toLine(text: string): string | null {
  // oxlint-disable-next-line no-control-regex
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  const cut = Array.from(line.slice(0, 2 * maxCharacters))
    .slice(0, maxCharacters)
    .join('')
    .trim()
  return cut === '' ? null : cut
}

/**
 * Content of a closed `details` or of hidden content has a position but is not visible; neither is that of a hidden frame.
 */
function isVisible(element: Element): boolean {
  if (element.getClientRects().length === 0 || getComputedStyle(element).visibility !== 'visible')
    return false
  if (typeof element.checkVisibility === 'function' && !element.checkVisibility()) return false
  const container = containerOf(element)
  return container === undefined || isVisible(container)
}
