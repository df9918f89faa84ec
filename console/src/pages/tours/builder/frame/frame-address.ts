export type FrameAddress =
  | { readonly href: string; readonly isOwn: boolean }
  /** Why there is nothing to show, as a sentence. */
  | { readonly problem: string }

/** Reads what somebody typed: a path of the console, or the address of a page anywhere. */
export function readFrameAddress(text: string, here: { origin: string; protocol: string }): FrameAddress {
  const written = text.trim()
  if (written === '')
    return { problem: 'Type a path of the console, such as /users, or the address of a page.' }
  const whole =
    /^[a-z][a-z0-9+.-]*:\/\//i.test(written) || written.startsWith('/') ? written : `https://${written}`
  if (!URL.canParse(whole, here.origin)) return { problem: 'This is no address.' }
  const url = new URL(whole, here.origin)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { problem: 'Only pages at http:// and https:// addresses can be shown.' }
  }
  if (here.protocol === 'https:' && url.protocol === 'http:' && !isOnThisMachine(url.hostname)) {
    return { problem: 'Browsers show no http:// page inside an https:// page. Use its https:// address.' }
  }
  return { href: url.href, isOwn: url.origin === here.origin }
}

function isOnThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}

/** The address of a page as short as it can be told: pages of the console by their path. */
export function tellAddress(href: string, origin: string): string {
  return href.startsWith(`${origin}/`) ? href.slice(origin.length) : href
}

/** The tag that brings the player to a page. */
export function playerTag(origin: string): string {
  return `<script src="${origin}/tours/player.js" async></script>`
}

/** The header that lets the builder show a page of another site. */
export function framingHeader(origin: string): string {
  return `Content-Security-Policy: frame-ancestors 'self' ${origin}`
}
