/** How short names are completed. */
export interface SearchRules {
  readonly domains: readonly string[]
  /** A name with at least as many dots is asked for as it is before the domains are tried. */
  readonly ndots: number
}

const maxDomains = 32
const maxNdots = 15

/** Reads `search`, `domain` and `options ndots` of resolv.conf. The last of `search` and `domain` counts, as in the C library. */
export function parseSearchRules(text: string): SearchRules {
  let domains: readonly string[] = []
  let ndots = 1
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
    if (keyword === 'search' || keyword === 'domain') {
      domains = words.map((word) => word.toLowerCase().replace(/\.$/, '')).filter((word) => word !== '')
    }
    if (keyword === 'options') {
      for (const word of words) {
        const value = /^ndots:(\d+)$/.exec(word)?.[1]
        if (value !== undefined) ndots = Math.min(Number(value), maxNdots)
      }
    }
  }
  return { domains: domains.slice(0, maxDomains), ndots }
}

/** The full names to ask for, in order; the first that has an address counts. */
export function namesToAsk(host: string, { domains, ndots }: SearchRules): readonly string[] {
  const completed = domains.map((domain) => `${host}.${domain}`)
  return host.split('.').length - 1 >= ndots ? [host, ...completed] : [...completed, host]
}
