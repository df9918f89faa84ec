import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import type { Purse } from '../../budgets/purse.ts'
import type { ChatRequest, EmbedRequest } from '../../gateway/contract.ts'
import type { Caller } from './caller.ts'
import { readCacheWish } from './read-cache-wish.ts'
import { readFallback } from './read-fallback.ts'

/** Where the money for a caller's calls comes from. */
export type PurseOf = (principal: Principal) => Purse

/** What the gateway has to know about who asks, from everything but the body. Throws what is wrong with a header. */
export function whoAsks(
  { principal, headers }: FastifyRequest,
  { caller, purseOf }: { readonly caller: Caller; readonly purseOf: PurseOf },
): Omit<EmbedRequest, 'call'> {
  if (principal.id === null) throw kernelFailure('authentication_required')
  return {
    accountId: principal.id,
    purse: purseOf(principal),
    fallback: readFallback(headers['x-model-fallback']),
    signal: caller.signal,
    source: 'gateway',
  }
}

/** The same for an answer in text, which may come from memory. */
export function whoAsksForText(
  request: FastifyRequest,
  options: { readonly caller: Caller; readonly purseOf: PurseOf },
): Omit<ChatRequest, 'call'> {
  return { ...whoAsks(request, options), cache: readCacheWish(request.headers['cache-control']) }
}
