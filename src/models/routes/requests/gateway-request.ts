import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import type { Budget } from '../../budgets/budget.ts'
import type { ChatRequest, EmbedRequest, Fallback } from '../../gateway/contract.ts'
import type { Caller } from './caller.ts'
import { maxModelNameLength } from './model-name.ts'

/** Where the money for a caller's calls comes from. */
export type AccountBudgetOf = (principal: Principal) => Budget

/** What the gateway has to know about who asks, from everything but the body. Throws what is wrong with a header. */
export function readRequestContext(
  { principal, headers }: FastifyRequest,
  { caller, accountBudgetOf }: { readonly caller: Caller; readonly accountBudgetOf: AccountBudgetOf },
): Omit<EmbedRequest, 'call'> {
  if (principal.id === null) throw kernelFailure('authentication_required')
  return {
    accountId: principal.id,
    budget: accountBudgetOf(principal),
    fallback: readFallback(headers['x-model-fallback']),
    signal: caller.signal,
    source: 'gateway',
  }
}

/** The same for an answer in text, which may come from memory. */
export function readTextRequestContext(
  request: FastifyRequest,
  options: { readonly caller: Caller; readonly accountBudgetOf: AccountBudgetOf },
): Omit<ChatRequest, 'call'> {
  return { ...readRequestContext(request, options), cache: readCacheMode(request.headers['cache-control']) }
}

/**
 * Reads whether an answer may come from memory. Directives that mean nothing here are passed over, as HTTP asks.
 *
 * | `Cache-Control`            | the answer                                        |
 * |----------------------------|---------------------------------------------------|
 * | without, or anything else  | may come from memory, and is remembered           |
 * | `no-cache`, `max-age=0`    | is asked for anew, and remembered                 |
 * | `no-store`                 | is asked for anew, and not remembered             |
 */
export function readCacheMode(cacheControl: string | undefined): ChatRequest['cache'] {
  const directives = new Set(
    (cacheControl ?? '')
      .toLowerCase()
      .split(',')
      .map((directive) => directive.trim()),
  )
  if (directives.has('no-store')) return 'off'
  return directives.has('no-cache') || directives.has('max-age=0') ? 'refresh' : 'use'
}

const header = 'X-Model-Fallback'
const maxModels = 8

/** Reads who else may answer: `none`, `any`, or models in the order they are to be asked. */
export function readFallback(value: string | readonly string[] | undefined): Fallback {
  const names = [value ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const [first] = names
  if (first === undefined) return 'none'
  if (names.length === 1 && (first === 'none' || first === 'any')) return first
  if (names.includes('none') || names.includes('any')) {
    throw refuse('is either none, any, or a list of models')
  }
  if (names.length > maxModels) throw refuse(`names ${names.length} models, and may name ${maxModels}`)
  if (names.some((name) => name.length > maxModelNameLength)) throw refuse('names a model that is too long')
  return names
}

function refuse(message: string) {
  return kernelFailure('invalid_input', {
    message: `${header} ${message}.`,
    problems: [{ path: header, message, code: 'header' }],
    details: { part: 'headers' },
  })
}
