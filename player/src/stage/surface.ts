import type { Appearance } from '../appearance.ts'
import { styles } from './styles.ts'

/** The only element the player adds to a page. Its shadow root isolates the player from the page's styles. */
export interface Surface {
  readonly root: ShadowRoot
  /** Moves the surface above everything, including dialogs of the page. */
  raise(): void
  /** Whether the page has removed the surface with its parent. */
  isDetached(): boolean
  /** Applies the current theme of the page. */
  applyTheme(): void
  /** Removes the surface from the page when it is empty. */
  removeIfEmpty(): void
  /** Announces a text to screen readers. */
  announce(text: string): void
  owns(target: EventTarget | null): boolean
}

export interface SurfaceOptions {
  /** `light` or `dark`; undefined: the visitor's system setting. */
  readonly theme: () => string | undefined
  readonly appearance: Appearance
}

export function createSurface({ theme, appearance }: SurfaceOptions): Surface {
  const host = document.createElement('div')
  host.setAttribute('data-tutti-tours', '')
  host.popover = 'manual'
  // Clicks on the player must not close menus of the page that close on an outside click.
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'focusin']) {
    host.addEventListener(type, (event) => event.stopPropagation())
  }
  const root = host.attachShadow({ mode: 'open' })
  // A constructed style sheet is allowed by every content security policy, unlike a style element.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]
  const spoken = document.createElement('div')
  spoken.className = 'spoken'
  spoken.setAttribute('aria-live', 'polite')
  root.append(spoken)

  function applyTheme(): void {
    const chosen = theme()
    if (chosen === undefined) delete host.dataset['theme']
    else host.dataset['theme'] = chosen
  }

  function raise(): void {
    applyTheme()
    appearance.applyTo(host)
    // A modal dialog makes everything outside it inert, so the surface is moved into it.
    const parent = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
    if (host.parentElement !== parent) parent.append(host)
    // Positions are in pixels of the window; a CSS zoom of the page would scale them.
    const { currentCSSZoom: zoom = 1 } = parent as { readonly currentCSSZoom?: number }
    host.style.setProperty('--unzoomed', String(1 / zoom))
    // Older browsers have no top layer; there the highest z-index is used.
    if (typeof host.showPopover !== 'function') return
    if (host.matches(':popover-open')) host.hidePopover()
    host.showPopover()
  }

  return {
    root,
    raise,
    applyTheme,
    isDetached: () => host.getClientRects().length === 0,
    removeIfEmpty() {
      if (root.childElementCount === 1) host.remove()
    },
    announce(text) {
      spoken.textContent = ''
      // Screen readers announce only a change, and only after the live region exists.
      requestAnimationFrame(() => {
        spoken.textContent = text
      })
    },
    owns: (target) => target === host,
  }
}
