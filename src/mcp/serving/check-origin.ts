interface Asked {
  /** As browsers send it; programs send none. */
  readonly origin: string | undefined
  /** As the caller wrote it. */
  readonly host: string
  readonly publicUrl: string | undefined
}

/**
 * Whether a page of ours asks, or a program. A name can be made to lead to this machine, so without a public address only pages
 * under an address of numbers or `localhost` are believed to be ours.
 */
export function isOwnOrigin({ origin, host, publicUrl }: Asked): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const asked = new URL(origin)
  if (publicUrl !== undefined && asked.origin === new URL(publicUrl).origin) return true
  return asked.host === host && isUnmistakable(asked.hostname)
}

function isUnmistakable(hostname: string): boolean {
  return hostname === 'localhost' || hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname)
}
