import type { PlayableTip } from './protocol.ts'

export interface Found {
  readonly element: Element
  readonly selector: string
  readonly matches: number
}

/** Enough to tell an element from its neighbours. */
const mostCharacters = 120

/** Finds a step's element by its selector, else by its candidates: one that can be seen, and among several the one with its text. */
export function findElement(tip: PlayableTip): Found | undefined {
  const words = wordsOf(tip.target_text ?? '')
  for (const selector of [tip.selector, ...(tip.candidates ?? [])]) {
    const matches = findAll(selector) ?? []
    const visible = matches.filter(isVisible)
    const wanted = words === null ? undefined : visible.find((one) => textOf(one) === words)
    const element = wanted ?? visible[0]
    if (element !== undefined) return { element, selector, matches: matches.length }
  }
  return undefined
}

/** Every element a selector matches; undefined for what is no selector to this browser. */
export function findAll(selector: string): Element[] | undefined {
  try {
    return selector === '' ? [] : [...document.querySelectorAll(selector)]
  } catch {
    return undefined
  }
}

/** Waits until a step's element is there; undefined when it did not come in time or the wait was given up. */
export async function waitForElement(
  tip: PlayableTip,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Found | undefined> {
  return await new Promise((resolve) => {
    let frame = 0
    const look = () => {
      frame = 0
      const found = findElement(tip)
      if (found !== undefined) finish(found)
    }
    // A page may change a thousand times in a frame; looking once is enough.
    const observer = new MutationObserver(() => {
      frame ||= requestAnimationFrame(look)
    })
    const timer = setTimeout(() => finish(findElement(tip)), timeoutMs)
    const giveUp = () => finish(undefined)
    function finish(found: Found | undefined): void {
      observer.disconnect()
      clearTimeout(timer)
      cancelAnimationFrame(frame)
      signal.removeEventListener('abort', giveUp)
      resolve(found)
    }
    observer.observe(document.documentElement, { childList: true, subtree: true, attributes: true })
    signal.addEventListener('abort', giveUp)
    look()
  })
}

/** An element's own words, as they are kept with a picked element. */
export function textOf({ textContent }: Pick<Element, 'textContent'>): string | null {
  return wordsOf(textContent ?? '')
}

/** One line as the platform stores it: no half of a character at its end, and no space. */
function wordsOf(text: string): string | null {
  // oxlint-disable-next-line no-control-regex
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  const words = Array.from(line.slice(0, 2 * mostCharacters))
    .slice(0, mostCharacters)
    .join('')
    .trim()
  return words === '' ? null : words
}

/** What a closed `details` or hidden content holds has a place, and is not seen. */
function isVisible(element: Element): boolean {
  if (element.getClientRects().length === 0 || getComputedStyle(element).visibility !== 'visible')
    return false
  return typeof element.checkVisibility !== 'function' || element.checkVisibility()
}
