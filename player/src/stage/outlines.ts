import { drawAround } from './draw-around.ts'
import { followElement } from './follow-element.ts'
import { makeElement } from './make-element.ts'
import type { Surface } from './surface.ts'

/** Boxes around elements of the page, for the builder. */
export interface Outlines {
  /** Outlines these elements and no others; a name stands above the first. */
  show(elements: readonly Element[], name?: string): void
}

/** More outlines than this tell nobody anything. */
const most = 50

export function createOutlines(surface: Surface): Outlines {
  let shown: { stop(): void }[] = []
  return {
    show(elements, name) {
      for (const one of shown) one.stop()
      shown = elements
        .slice(0, most)
        .map((element, index) => outline(surface, element, index === 0 ? name : undefined))
      if (shown.length > 0) surface.raise()
      else surface.tidy()
    },
  }
}

function outline(surface: Surface, element: Element, name: string | undefined): { stop(): void } {
  const box = makeElement('div', { class: 'outline' })
  if (name !== undefined) box.append(makeElement('span', {}, name))
  surface.root.append(box)
  const following = followElement(
    () => (element.isConnected ? element : null),
    (rect) => {
      box.hidden = rect === null
      if (rect === null) return
      drawAround(box, rect, 0)
      box.toggleAttribute('data-below', rect.y < 24)
    },
  )
  return {
    stop() {
      following.stop()
      box.remove()
    },
  }
}
