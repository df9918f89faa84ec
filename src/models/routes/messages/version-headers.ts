import type { IncomingHttpHeaders } from 'node:http'

/** The headers that select a version and features of the Anthropic API. */
export function versionHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const passed = ['anthropic-version', 'anthropic-beta'] as const
  return Object.fromEntries(
    passed.flatMap((name) => {
      const value = [headers[name] ?? []].flat().join(',')
      return value === '' ? [] : [[name, value]]
    }),
  )
}
