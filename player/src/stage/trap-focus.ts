const focusable = 'a[href], button:not([hidden]), [tabindex="0"]'

/** How often the card takes the focus back from the page before it gives up, to avoid an endless loop. */
const maxReturns = 3

interface FocusTrap {
  stop(): void
}

interface FocusTrapOptions {
  readonly card: HTMLElement
  /** Handles a key; false when the key has no action. */
  readonly onKey: (key: string) => boolean
  /** Moves the focus into the card. */
  readonly focus: () => void
  /** Called when the page moves the focus to an element while the card is shown. */
  readonly onTaken: (element: Element) => void
}

/** Traps the keyboard focus in a card: Tab stays in it, and no shortcut of the page runs. */
export function trapFocus({ card, onKey, focus, onTaken }: FocusTrapOptions): FocusTrap {
  const root = card.getRootNode() as ShadowRoot
  let returns = 0

  function handle(event: KeyboardEvent): void {
    const inside = event.composedPath().includes(card)
    if (event.key === 'Tab') moveFocus(event)
    else if (!hasModifier(event) && onKey(event.key)) event.preventDefault()
    else if (!inside) focus()
    event.stopImmediatePropagation()
  }

  function moveFocus(event: KeyboardEvent): void {
    const stops = [...card.querySelectorAll<HTMLElement>(focusable)]
    const at = stops.indexOf(root.activeElement as HTMLElement)
    const next = event.shiftKey ? (at <= 0 ? stops.length - 1 : at - 1) : (at + 1) % stops.length
    stops[next]?.focus()
    event.preventDefault()
  }

  function takeBack({ target }: FocusEvent): void {
    if (target === root.host || !(target instanceof Element)) return
    onTaken(target)
    returns += 1
    // Runs after the page's own focus handling.
    if (returns <= maxReturns) setTimeout(() => card.isConnected && focus())
  }

  // Capturing on the window runs before the page's own listeners.
  window.addEventListener('keydown', handle, true)
  window.addEventListener('focusin', takeBack, true)
  return {
    stop() {
      window.removeEventListener('keydown', handle, true)
      window.removeEventListener('focusin', takeBack, true)
    },
  }
}

/** Arrow keys with a modifier belong to the browser, such as for its history. */
function hasModifier({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey
}

/** The focused element, also inside shadow roots. */
export function focusedElement(): Element | null {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}
