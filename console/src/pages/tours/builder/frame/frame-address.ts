export type FrameAddress =
  | { readonly href: string; readonly isOwn: boolean }
  /** Why no page can be shown, as a sentence. */
  | { readonly problem: string }

/** Reads the typed address: a console path, or the URL of any page. */
export function readFrameAddress(text: string, here: { origin: string; protocol: string }): FrameAddress {
  const written = text.trim()
  if (written === '') return { problem: 'Enter a console path, such as /users, or a URL.' }
  const whole =
    /^[a-z][a-z0-9+.-]*:\/\//i.test(written) || written.startsWith('/') ? written : `https://${written}`
  if (!URL.canParse(whole, here.origin)) return { problem: 'This is not a valid URL.' }
  const url = new URL(whole, here.origin)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { problem: 'Only http:// and https:// pages can be shown.' }
  }
  if (here.protocol === 'https:' && url.protocol === 'http:' && !isOnThisMachine(url.hostname)) {
    return { problem: 'Browsers block http:// pages inside an https:// page. Use the https:// URL.' }
  }
  return { href: url.href, isOwn: url.origin === here.origin }
}

function isOnThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}

/** The shortest form of a page's address: pages of the console by their path. */
export function tellAddress(href: string, origin: string): string {
  return href.startsWith(`${origin}/`) ? href.slice(origin.length) : href
}

/** The script tag that embeds the player in the pages of a site. Pages without `data-site` belong to the default site. */
export function playerTag(origin: string, site: string): string {
  const named = site === 'default' ? '' : ` data-site="${site}"`
  return `<script src="${origin}/tours/player.js"${named} async></script>`
}

/** The header that lets the builder show a page of another site. */
export function framingHeader(origin: string): string {
  return `Content-Security-Policy: frame-ancestors 'self' ${origin}`
}
