import type { Identity } from './visitor.ts'

/** The script tag of the player in the page. */
export interface Tag {
  /** The origin of the script: tours are fetched from it, and only a builder of this origin is trusted. */
  readonly origin: string
  /** The path before `/tours/player.js`, for a platform behind a prefix. */
  readonly base: string
  readonly nonce: string
  /** The site of the page by `data-site`; null: the default site. */
  readonly site: string | null
  /** The route name the page declares with `data-route`. */
  readonly route: () => string | null
  /** `light` or `dark` by `data-theme`; undefined: the visitor's system setting. */
  readonly theme: () => 'light' | 'dark' | undefined
  /** The visitor by `data-user` and `data-attribute-…`, such as `data-attribute-role="admin, editor"`. */
  readonly identity: Identity
  /** Whether the page will call `identify`, by `data-wait="identify"`. */
  readonly waitsForIdentity: boolean
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
    identity: readIdentity(script),
    waitsForIdentity: script.dataset['wait'] === 'identify',
    onChange(listener) {
      new MutationObserver(listener).observe(script, { attributeFilter: ['data-route', 'data-theme'] })
    },
  }
}

const attributePrefix = 'data-attribute-'

function readIdentity(script: HTMLScriptElement): Identity {
  const named = script.getAttributeNames().filter((name) => name.startsWith(attributePrefix))
  return {
    user: script.dataset['user'] || null,
    attributes: Object.fromEntries(
      named.map((name) => [
        name.slice(attributePrefix.length),
        (script.getAttribute(name) ?? '').split(',').map((value) => value.trim()),
      ]),
    ),
  }
}
