/** The script tag of the player in the page. */
export interface Tag {
  /** The origin of the script: tours are fetched from it, and only a builder of this origin is trusted. */
  readonly origin: string
  /** The path before `/tours/player.js`, for a platform behind a prefix. */
  readonly base: string
  readonly nonce: string
  /** `console` on pages of the console, by `data-site`; null elsewhere. */
  readonly site: string | null
  /** The route name the page declares with `data-route`. */
  readonly route: () => string | null
  /** `light` or `dark` by `data-theme`; undefined: the visitor's system setting. */
  readonly theme: () => 'light' | 'dark' | undefined
  readonly onChange: (listener: () => void) => void
}

/** Reads the script tag of this code; undefined without one. */
export function readTag(): Tag | undefined {
  const script =
    document.currentScript instanceof HTMLScriptElement
      ? document.currentScript
      : document.querySelector<HTMLScriptElement>('script[src*="/tours/player.js"]')
  if (script === null || script.src === '') return undefined
  const { origin, pathname } = new URL(script.src)
  return {
    origin,
    base: origin + pathname.replace(/\/tours\/player\.js$/, ''),
    nonce: script.nonce,
    site: script.dataset['site'] || null,
    route: () => script.dataset['route'] || null,
    theme() {
      const theme = script.dataset['theme']
      return theme === 'light' || theme === 'dark' ? theme : undefined
    },
    onChange(listener) {
      new MutationObserver(listener).observe(script, { attributeFilter: ['data-route', 'data-theme'] })
    },
  }
}
