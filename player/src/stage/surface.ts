import { styles } from './styles.ts'

/** The one element the player adds to a page. Everything it shows stands in its shadow root, out of reach of the page's styles. */
export interface Surface {
  readonly root: ShadowRoot
  /** Puts the surface above everything, dialogs of the page included. */
  raise(): void
  /** Whether the page took the surface away, with what it stood in. */
  isLost(): boolean
  /** Takes on the colours the page wants now. */
  dress(): void
  /** Takes the surface out of the page when nothing stands on it. */
  tidy(): void
  /** Reads a sentence to people who do not see the card. */
  announce(text: string): void
  owns(target: EventTarget | null): boolean
}

export function createSurface({ theme }: { theme: () => string | undefined }): Surface {
  const host = document.createElement('div')
  host.setAttribute('data-tutti-tours', '')
  host.popover = 'manual'
  // A page that closes its menus at a click outside them is not told of ours.
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'focusin']) {
    host.addEventListener(type, (event) => event.stopPropagation())
  }
  const root = host.attachShadow({ mode: 'open' })
  // A sheet made by script needs no permission of a content security policy, unlike a style element.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]
  const spoken = document.createElement('div')
  spoken.className = 'spoken'
  spoken.setAttribute('aria-live', 'polite')
  root.append(spoken)

  function dress(): void {
    const chosen = theme()
    if (chosen === undefined) delete host.dataset['theme']
    else host.dataset['theme'] = chosen
  }

  function raise(): void {
    dress()
    host.dir = getComputedStyle(document.documentElement).direction
    // A modal dialog of the page makes everything outside it inert, so we stand in it.
    const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
    if (host.parentElement !== place) place.append(host)
    // Places are told in pixels of the window, which a page that is zoomed by its styles would make others of.
    const { currentCSSZoom: zoom = 1 } = place as { readonly currentCSSZoom?: number }
    host.style.setProperty('--unzoomed', String(1 / zoom))
    // Older browsers know no top layer; there its place is the highest z-index.
    if (typeof host.showPopover !== 'function') return
    if (host.matches(':popover-open')) host.hidePopover()
    host.showPopover()
  }

  return {
    root,
    raise,
    dress,
    isLost: () => host.getClientRects().length === 0,
    tidy() {
      if (root.childElementCount === 1) host.remove()
    },
    announce(text) {
      spoken.textContent = ''
      // Only a change is read, and only one that comes after the region stands.
      requestAnimationFrame(() => {
        spoken.textContent = text
      })
    },
    owns: (target) => target === host,
  }
}
