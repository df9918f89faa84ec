import { containerOf, innerRoot, type Root } from '../inner-roots.ts'

/** Interactive elements: pointing at something inside one selects the whole element. */
const interactive =
  'a[href], button, input, select, textarea, summary, option, [role=button], [role=link], [role=tab], [role=menuitem], [role=option], [role=checkbox], [role=radio], [role=switch]'

/** The elements that Tab visits while picking. */
const stops = `${interactive}, [data-tour], [data-testid], [id], h1, h2, h3, h4, img, table, form, nav, main, section, article, aside, label, th`

type IsOurs = (element: Element) => boolean

/** The element at a point of the screen, below the player's own elements and inside shadow roots and frames. */
export function elementAt(x: number, y: number, isOurs: IsOurs): Element | undefined {
  const element = deepestAt(document, x, y, isOurs)
  if (element === undefined || element === document.documentElement) return undefined
  return element.closest(interactive) ?? element.closest('svg') ?? element
}

function deepestAt(root: Root, x: number, y: number, isOurs: IsOurs): Element | undefined {
  const element = root.elementsFromPoint(x, y).find((one) => !isOurs(one) && one.getRootNode() === root)
  const inner = element === undefined ? undefined : innerRoot(element)
  if (element === undefined || inner === undefined) return element
  const isFrame = inner.nodeType === Node.DOCUMENT_NODE
  const { left, top } = element.getBoundingClientRect()
  const within = isFrame
    ? deepestAt(inner, x - left - element.clientLeft, y - top - element.clientTop, isOurs)
    : deepestAt(inner, x, y, isOurs)
  return within ?? element
}

/** The element that a key moves to; the same one when there is none in that direction. */
export function step(key: string, from: Element | undefined, isOurs: IsOurs): Element | undefined {
  if (from === undefined || key === 'Tab' || key === 'Shift+Tab') return nextStop(key, from, isOurs)
  const siblings = [...((from.parentElement ?? from.getRootNode()) as ParentNode).children].filter(
    (one) => one === from || (isVisible(one) && !isOurs(one)),
  )
  const place = siblings.indexOf(from)
  switch (key) {
    case 'ArrowUp':
      return parentOf(from) ?? from
    case 'ArrowDown':
      return childrenOf(from).find(isVisible) ?? from
    case 'ArrowRight':
      return siblings[place + 1] ?? from
    case 'ArrowLeft':
      return siblings[place - 1] ?? from
    default:
      return from
  }
}

/** The next or previous element that Tab visits; after the last comes the first. */
function nextStop(key: string, from: Element | undefined, isOurs: IsOurs): Element | undefined {
  const all = elementsOf(document, isOurs)
  const place = from === undefined ? -1 : all.indexOf(from)
  return key === 'Shift+Tab'
    ? (all.slice(0, Math.max(place, 0)).findLast(isStop) ?? all.findLast(isStop))
    : (all.slice(place + 1).find(isStop) ?? all.find(isStop))
}

function isStop(element: Element): boolean {
  return element.matches(stops) && isVisible(element) && element.localName !== 'html'
}

/** All elements in the order of the page, with those of shadow roots and frames behind the element that contains them. */
function elementsOf(root: Root, isOurs: IsOurs): Element[] {
  return [...root.querySelectorAll('*')].flatMap((element) => {
    if (isOurs(element)) return []
    const inner = innerRoot(element)
    return inner === undefined ? [element] : [element, ...elementsOf(inner, isOurs)]
  })
}

function childrenOf(element: Element): Element[] {
  const inner = innerRoot(element)
  if (inner === undefined) return [...element.children]
  return [...((inner as Partial<Document>).body ?? inner).children]
}

/** The parent of an element, out of its shadow root or frame; undefined for the body of the page. */
function parentOf(element: Element): Element | undefined {
  const parent = element.parentElement
  if (parent === null || parent === parent.ownerDocument.documentElement) return containerOf(element)
  return parent
}

function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
}

/** Scrolls the element under the shield, as the wheel would have done without it. */
export function scrollUnder(event: WheelEvent, isOurs: IsOurs): void {
  let element = deepestAt(document, event.clientX, event.clientY, isOurs)
  for (; element !== undefined; element = element.parentElement ?? containerOf(element)) {
    // The document of a frame scrolls by its root element, whose overflow is `visible`.
    const isRoot = element === element.ownerDocument.documentElement && element.ownerDocument !== document
    if (element.scrollHeight <= element.clientHeight) continue
    if (!isRoot && !/auto|scroll/.test(getComputedStyle(element).overflowY)) continue
    element.scrollBy({ top: event.deltaY, left: event.deltaX })
    event.preventDefault()
    return
  }
}
