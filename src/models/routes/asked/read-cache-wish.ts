import type { ChatRequest } from '../../gateway/contract.ts'

/**
 * Reads whether an answer may come from memory. Directives that mean nothing here are passed over, as HTTP asks.
 *
 * | `Cache-Control`            | the answer                                        |
 * |----------------------------|---------------------------------------------------|
 * | without, or anything else  | may come from memory, and is remembered           |
 * | `no-cache`, `max-age=0`    | is asked for anew, and remembered                 |
 * | `no-store`                 | is asked for anew, and not remembered             |
 */
export function readCacheWish(cacheControl: string | undefined): ChatRequest['cache'] {
  const directives = new Set(
    (cacheControl ?? '')
      .toLowerCase()
      .split(',')
      .map((directive) => directive.trim()),
  )
  if (directives.has('no-store')) return 'off'
  return directives.has('no-cache') || directives.has('max-age=0') ? 'refresh' : 'use'
}
