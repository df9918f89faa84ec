import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import type { Budget } from '../../budgets/budget.ts'
import type { ChatRequest, EmbedRequest, Fallback } from '../../gateway/contract.ts'
import type { Caller } from './caller.ts'
import { maxModelNameLength } from './model-name.ts'

/** Returns the budget of a caller. */
export type AccountBudgetOf = (principal: Principal) => Budget

/** The part of a gateway request that does not come from the body. Throws `invalid_input` for an invalid header. */
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
    origin: originOf(principal, headers),
    limits: principal.limits,
    recording: readRecording(headers['x-record']),
  }
}

/** The API key and the labels of a call. Throws `invalid_input` for an invalid header. */
export function originOf(
  { method, credential }: Principal,
  headers: FastifyRequest['headers'],
): NonNullable<EmbedRequest['origin']> {
  return {
    ...(method === 'api_key' && credential !== null && { keyId: credential }),
    tags: readTags(headers['x-tags']),
  }
}

/** The same for a text call, whose response may be cached. */
export function readTextRequestContext(
  request: FastifyRequest,
  options: { readonly caller: Caller; readonly accountBudgetOf: AccountBudgetOf },
): Omit<ChatRequest, 'call'> {
  return { ...readRequestContext(request, options), cache: readCacheMode(request.headers['cache-control']) }
}

/**
 * Reads how a call uses the response cache. Unknown directives are ignored, as HTTP requires.
 *
 * | `Cache-Control`            | response cache                                    |
 * |----------------------------|---------------------------------------------------|
 * | absent, or anything else   | read and updated                                  |
 * | `no-cache`, `max-age=0`    | updated only                                      |
 * | `no-store`                 | neither read nor updated                          |
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

/** Reads whether a request wants its content recorded. Throws `invalid_input` for anything but `on` and `off`. */
function readRecording(value: string | readonly string[] | undefined): ChatRequest['recording'] {
  if (value === undefined || value === 'on' || value === 'off') return value
  throw invalidHeader('X-Record', 'must be on or off')
}

const maxTags = 10
const maxTagLength = 64

/** Parses the labels of a call, separated by commas. Throws `invalid_input` for too many or too long ones. */
function readTags(value: string | readonly string[] | undefined): readonly string[] {
  const tags = [
    ...new Set(
      [value ?? []]
        .flat()
        .join(',')
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
  ]
  if (tags.length > maxTags) throw invalidHeader('X-Tags', `has more than ${maxTags} tags`)
  if (tags.some((tag) => tag.length > maxTagLength)) {
    throw invalidHeader('X-Tags', `has a tag of more than ${maxTagLength} characters`)
  }
  return tags
}

const header = 'X-Model-Fallback'
const maxModels = 8

/** Parses the fallbacks: `none`, `any`, or models in the order they are tried. */
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
    throw refuse('must be none, any, or a list of models')
  }
  if (names.length > maxModels) throw refuse(`has ${names.length} models; at most ${maxModels} are allowed`)
  if (names.some((name) => name.length > maxModelNameLength))
    throw refuse('has a model name that is too long')
  return names
}

function refuse(message: string) {
  return invalidHeader(header, message)
}

function invalidHeader(name: string, message: string) {
  return kernelFailure('invalid_input', {
    message: `${name} ${message}.`,
    problems: [{ path: name, message, code: 'header' }],
  })
}
