import type { Rect } from './protocol.ts'

/** A tree of elements that selectors are applied to: the page, a shadow root, or the document of a frame. */
export type Root = Document | ShadowRoot

/** The open shadow root of an element, or the document of a frame of the same origin; undefined without one. */
export function innerRoot(element: Element): Root | undefined {
  if (element.shadowRoot !== null) return element.shadowRoot
  try {
    return (element as Partial<HTMLIFrameElement>).contentDocument ?? undefined
  } catch {
    return undefined
  }
}

/** The element whose shadow root or frame contains this element; undefined in the page itself. */
export function containerOf(element: Element): Element | undefined {
  const root = element.getRootNode() as Partial<ShadowRoot>
  return root.host ?? frameOf(element)
}

/** The rectangle of an element in the window of the player, also when it is inside frames. */
export function rectOf(element: Element): Rect {
  let { x, y, width, height } = element.getBoundingClientRect()
  for (let frame = frameOf(element); frame !== undefined; frame = frameOf(frame)) {
    const outer = frame.getBoundingClientRect()
    // A frame that is scaled by CSS scales its content.
    const scale = outer.width / (frame.offsetWidth || 1) || 1
    x = outer.x + (frame.clientLeft + x) * scale
    y = outer.y + (frame.clientTop + y) * scale
    width *= scale
    height *= scale
  }
  return { x, y, width, height }
}

/** The frame whose document contains an element; undefined in the window of the player. */
function frameOf({ ownerDocument }: Element): HTMLElement | undefined {
  if (ownerDocument === document) return undefined
  return (ownerDocument.defaultView?.frameElement as HTMLElement | null | undefined) ?? undefined
}
