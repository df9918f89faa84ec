import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type Failure, kernelFailure } from '#kernel/errors'
import { allowsNull } from './absent-fields.ts'
import type { HttpServer } from './http-server.ts'
import { invalidInput, maxLevels, nestedTooDeeply } from './validation.ts'

/** Parses JSON bodies, and refuses compressed ones before they are read. */
export function readJsonBodies(app: HttpServer, bodyLimit: number): void {
  app.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    const refusal = findEncodingRefusal(headers)
    if (refusal === undefined) done(null, payload)
    else done(refusal)
  })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit },
    (request: FastifyRequest, body: Buffer, done) => {
      try {
        if (body.length === 0) refuseMissingBody(request.routeOptions.schema?.body)
        done(null, body.length === 0 ? undefined : readJson(body, maxValuesOf(request, body)))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

/** Throws `unsupported_media_type` for a body with a `Content-Encoding`: decompressing would let a small request use any amount of memory. */
export function refuseEncodedBody(headers: IncomingHttpHeaders): void {
  const refusal = findEncodingRefusal(headers)
  if (refusal !== undefined) throw refusal
}

function findEncodingRefusal(headers: IncomingHttpHeaders): Failure | undefined {
  if (headers['content-encoding'] === undefined) return undefined
  const encoding = headers['content-encoding'].trim().toLowerCase()
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (encoding === '' || encoding === 'identity' || !hasBody) return undefined
  return kernelFailure('unsupported_media_type', {
    message: `Bodies with Content-Encoding: ${printable(encoding)} are not accepted; send the body uncompressed.`,
    // RFC 9110, 15.5.16: the header says that the encoding was refused, not the content type.
    headers: { 'accept-encoding': 'identity' },
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Many clients send the JSON content type with every request, so an empty body is accepted where none is needed. */
function refuseMissingBody(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null || allowsNull(schema)) return
  throw kernelFailure('malformed_body', {
    message: 'The body is empty, but this request needs one; send JSON.',
  })
}

function readJson(body: Buffer, maxValues: number): unknown {
  refuseLargeStructure(body, maxValues)
  const text = decode(body)
  const data = parse(text)
  if (mayHaveForbiddenField(text)) refuseForbiddenField(data)
  return data
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw kernelFailure('malformed_body', { message: 'The body is not valid UTF-8; send JSON in UTF-8.' })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1]
    const where = position === undefined ? '' : `: syntax error at position ${position}`
    throw kernelFailure('malformed_body', { message: `The body is not valid JSON${where}.` })
  }
}

/** Most bodies contain none of these texts and skip the check of each field. */
function mayHaveForbiddenField(text: string): boolean {
  return text.includes('__proto__') || text.includes('constructor') || text.includes('\\u')
}

interface Field {
  readonly value: unknown
  readonly name: string
  readonly parent: Field | undefined
}

/** `__proto__` and `constructor.prototype` would change other objects when code copies the body field by field. */
function refuseForbiddenField(data: unknown): void {
  const waiting: Field[] = [{ value: data, name: '', parent: undefined }]
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    const { value } = field
    if (typeof value !== 'object' || value === null) continue
    for (const [name, item] of Object.entries(value)) {
      const inner = { value: item, name, parent: field }
      if (name === '__proto__') throw forbiddenField(inner)
      if (name === 'constructor' && hasPrototype(item)) {
        throw forbiddenField({ value: undefined, name: 'prototype', parent: inner })
      }
      waiting.push(inner)
    }
  }
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}

function forbiddenField(field: Field) {
  const path = printable(pathOf(field))
  const message = 'is not allowed as the name of a field; rename or remove it'
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'forbidden_field' }],
  })
}

function pathOf(field: Field): string {
  const names: string[] = []
  for (let at: Field | undefined = field; at?.parent !== undefined; at = at.parent) {
    names.push(Array.isArray(at.parent.value) ? `[${at.name}]` : `.${at.name}`)
  }
  return names.toReversed().join('').replace(/^\./, '')
}

/** Removes control characters and limits the length of text in an error message. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(-200)
}

/** Smaller bodies cannot have more than twice as many values. */
const countedFromBytes = 1024 * 1024
const maxValues = 500_000
/** Of a request that anyone may send: parsing and checking half a million values takes 0.3 s. */
const maxOpenValues = 10_000

function maxValuesOf({ routeOptions }: FastifyRequest, body: Buffer): number {
  const { access } = routeOptions.config
  if (access !== undefined && 'open' in access) return maxOpenValues
  return body.length <= countedFromBytes ? Number.POSITIVE_INFINITY : maxValues
}

const [quote, backslash, comma, bracket, brace, endOfArray, endOfObject] = Buffer.from('"\\,[{]}')

/**
 * Throws `invalid_input` before anything is parsed, for two kinds of bodies whose cost is out of proportion to their bytes: one nested too
 * deeply, and one of very many small values, which would block the event loop for seconds and need gigabytes. Names of fields count
 * as values. Media and long texts are few values.
 */
function refuseLargeStructure(body: Buffer, allowed: number): void {
  let values = 0
  let depth = 0
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === endOfArray || byte === endOfObject) depth -= 1
    if (byte === bracket || byte === brace) depth += 1
    if (depth > maxLevels) throw invalidInput([nestedTooDeeply], 'body')
    if (byte === quote) at = endOfString(body, at)
    else if (byte !== comma && byte !== bracket && byte !== brace) continue
    values += 1
    if (values > allowed) {
      throw kernelFailure('invalid_input', {
        message: `The body has more than ${allowed} JSON values; send fewer of them in one request.`,
      })
    }
  }
}

/** The position of the quote that ends a string. */
function endOfString(body: Buffer, start: number): number {
  // Finding the next quote is faster than reading each byte, and most strings have no quotes in them.
  const end = body.indexOf('"', start + 1)
  if (end === -1) return body.length
  if (body[end - 1] !== backslash) return end
  let at = start + 1
  while (at < body.length && body[at] !== quote) at += body[at] === backslash ? 2 : 1
  return at
}
