const focusable =
  'a[href], button:not([hidden]), input, select, textarea, video, [tabindex="0"], [contenteditable="true"]'

/** How often the card takes the focus back from the page before it gives up, to avoid an endless loop. */
const maxReturns = 3

interface FocusTrap {
  stop(): void
}

interface FocusTrapOptions {
  readonly card: HTMLElement
  readonly reach: 'card' | 'element' | 'page'
  /** The element of the step, which the visitor can use unless `reach` is `card`. */
  readonly find: () => Element | null
  /** Handles a key; false when the key has no action. */
  readonly onKey: (key: string) => boolean
  /** Moves the focus into the card. */
  readonly focus: () => void
  /** Called when the page moves the focus to an element while the card is shown. */
  readonly onTaken: (element: Element) => void
}

/**
 * Leads the keyboard:
 *
 * | keys pressed in          | `card`                           | `element`                           | `page`                  |
 * |--------------------------|----------------------------------|-------------------------------------|-------------------------|
 * | the card                 | Tab stays in it, the page gets no key | Tab reaches the element, too   | the same                |
 * | the element of the step  | the focus returns to the card    | Tab and Escape; others for the page | for the page            |
 * | elsewhere in the page    | the focus returns to the card    | the focus returns to the card       | for the page            |
 */
export function trapFocus({ card, reach, find, onKey, focus, onTaken }: FocusTrapOptions): FocusTrap {
  const root = card.getRootNode() as ShadowRoot
  const usable = () => (reach === 'card' ? null : find())
  let returns = 0

  function handle(event: KeyboardEvent): void {
    const path = event.composedPath()
    const isInCard = path.includes(card)
    const element = usable()
    const isInElement = element !== null && path.includes(element)
    if (!isInCard && (reach === 'page' || (isInElement && !['Tab', 'Escape'].includes(event.key)))) return
    // A video has its own arrow keys.
    const isOwnKey = path[0] instanceof HTMLVideoElement && event.key !== 'Escape'
    if (event.key === 'Tab') moveFocus(event, element)
    else if (!isOwnKey && !hasModifier(event) && onKey(event.key)) event.preventDefault()
    else if (!isInCard && !isInElement) focus()
    event.stopImmediatePropagation()
  }

  function moveFocus(event: KeyboardEvent, element: Element | null): void {
    const stops = [...card.querySelectorAll<HTMLElement>(focusable), ...stopsOf(element)]
    const at = stops.indexOf((root.activeElement ?? document.activeElement) as HTMLElement)
    const next = event.shiftKey ? (at <= 0 ? stops.length - 1 : at - 1) : (at + 1) % stops.length
    stops[next]?.focus()
    event.preventDefault()
  }

  function takeBack({ target }: FocusEvent): void {
    if (reach === 'page' || target === root.host || !(target instanceof Element)) return
    if (usable()?.contains(target) === true) return
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

/**
 * Keeps the focus on a card that leaves the page usable. An application that focuses the heading of a page once it is
 * loaded would otherwise take the focus from a button that the visitor is about to press. The focus goes where the visitor
 * moves it, and to dialogs of the page.
 */
export function keepFocus(card: HTMLElement): FocusTrap {
  const { host } = card.getRootNode() as ShadowRoot
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  let focused: HTMLElement | undefined
  let isVisitor = false
  let returns = 0

  function takeBack({ target }: FocusEvent): void {
    if (target === host) return
    const isDialog = target instanceof Element && target.closest('dialog, [aria-modal="true"]') !== null
    if (isVisitor || isDialog || returns === maxReturns) focused = undefined
    else if (focused !== undefined) {
      returns += 1
      focused.focus({ preventScroll: true })
    }
  }

  card.addEventListener('focusin', ({ target }) => {
    focused = target as HTMLElement
  })
  window.addEventListener('focusin', takeBack, options)
  for (const [type, value] of visitorEvents)
    window.addEventListener(
      type,
      () => {
        isVisitor = value
      },
      options,
    )
  return { stop: () => listening.abort() }
}

/** While a key or the pointer is down, the visitor moves the focus. */
const visitorEvents = [
  ['keydown', true],
  ['keyup', false],
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
] as const

/** The controls of an element, itself among them. */
function stopsOf(element: Element | null): HTMLElement[] {
  if (element === null) return []
  return [element, ...element.querySelectorAll(focusable)].filter(
    (stop): stop is HTMLElement => stop instanceof HTMLElement && stop.matches(focusable),
  )
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
