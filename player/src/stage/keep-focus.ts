const focusable = 'a[href], button:not([hidden]), [tabindex="0"]'

/** How often a page may take the focus from one card before it is let go: two that insist would never end. */
const mostReturns = 3

interface KeptFocus {
  stop(): void
}

interface KeepFocusOptions {
  readonly card: HTMLElement
  /** Does what a key means; false when it means nothing. */
  readonly onKey: (key: string) => boolean
  /** Puts the focus where it belongs in the card. */
  readonly focus: () => void
  /** The page gave the focus to this element while the card is shown. */
  readonly onTaken: (element: Element) => void
}

/** While a card is shown the keyboard is its own: Tab stays in it, and no shortcut of the page runs. */
export function keepFocus({ card, onKey, focus, onTaken }: KeepFocusOptions): KeptFocus {
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
    // After the page is done with what it does about the focus.
    if (returns <= mostReturns) setTimeout(() => card.isConnected && focus())
  }

  // Before the page's own listeners, which stand on its elements and document.
  window.addEventListener('keydown', handle, true)
  window.addEventListener('focusin', takeBack, true)
  return {
    stop() {
      window.removeEventListener('keydown', handle, true)
      window.removeEventListener('focusin', takeBack, true)
    },
  }
}

/** Modified arrows are the browser's: they go through the history. */
function hasModifier({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey
}

/** What has the focus now, inside whatever shadow. */
export function focusedElement(): Element | null {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}
