import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import { kernelFailure } from '#kernel/errors'

/** More than any real form, query or client sends. Their work is bounded by these counts, not only by the bytes they arrive in. */
const maxFields = 1000
const maxHeaders = 200

const ampersand = '&'.charCodeAt(0)

/** Throws `invalid_input` for a form or a query of too many fields, before it is parsed. Only its separators are counted. */
export function requireFewFields(text: string, part: 'body' | 'query'): void {
  let fields = 1
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== ampersand) continue
    fields += 1
    if (fields > maxFields) {
      const name = part === 'query' ? 'parameters' : 'fields'
      throw kernelFailure('invalid_input', {
        message: `The ${part} has more than ${maxFields} ${name}; send fewer of them in one request.`,
      })
    }
  }
}

/** The fields of a form; a repeated one is a list. Throws `invalid_input`. */
export function readForm(text: string): Record<string, unknown> {
  requireFewFields(text, 'body')
  return parse(text, '&', '=', { maxKeys: 0 })
}

/**
 * Throws `headers_too_large` and `invalid_input` for a request with too many headers or parameters. Node bounds the bytes of the address and
 * all headers together.
 */
export function requireSmallHead({
  rawHeaders,
  url = '',
}: Pick<IncomingMessage, 'rawHeaders' | 'url'>): void {
  if (rawHeaders.length > 2 * maxHeaders) {
    throw kernelFailure('headers_too_large', {
      message: `The request has more than ${maxHeaders} headers; send fewer of them.`,
    })
  }
  const mark = url.indexOf('?')
  if (mark !== -1) requireFewFields(url.slice(mark + 1), 'query')
}
