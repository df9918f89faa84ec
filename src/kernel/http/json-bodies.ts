import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type Failure, kernelFailure } from '#kernel/errors'
import { allowsNull } from './absent-fields.ts'
import { collectBody } from './collect-body.ts'
import type { HttpServer } from './http-server.ts'
import { scanStructure } from './json-structure.ts'
import { rememberLongTexts } from './long-texts.ts'
import { parseJsonInSteps } from './parse-json-steps.ts'

/** Parses JSON bodies, and refuses compressed ones before they are read. */
export function readJsonBodies(app: HttpServer, bodyLimit: number): void {
  app.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    const refusal = findEncodingRefusal(headers)
    if (refusal === undefined) done(null, payload)
    else done(refusal)
  })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { bodyLimit },
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { headers, principal, ip, routeOptions } = request
      const body = await collectBody({
        payload,
        contentLength:
          headers['content-length'] === undefined ? undefined : Number(headers['content-length']),
        maxBytes: routeOptions.bodyLimit ?? bodyLimit,
      })
      if (body.length === 0) {
        refuseMissingBody(routeOptions.schema?.body)
        return undefined
      }
      const options = {
        maxValues: maxValuesOf(request, body),
        keepLongTexts: routeOptions.config.forwardsBody === true,
      }
      if (body.length < minBytesOfSteps) return readJson(body, options)
      return await app.turns.run(principal.id ?? ip, readJsonInSteps(body, options))
    },
  )
}

/** Smaller bodies are read in about a millisecond. */
const minBytesOfSteps = 256 * 1024
/** Bytes of a string that is read on its own. */
const minBytesOfLongText = 4096

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

interface ReadOptions {
  /** JSON values that the body may have. */
  readonly maxValues: number
  /** The bytes of its long texts stay in memory, so that it can be passed on. */
  readonly keepLongTexts: boolean
}

function readJson(body: Buffer, options: ReadOptions): unknown {
  const scan = scanStructure(body, options)
  while (scan.next().done !== true);
  return parseWhole(body)
}

/** The same in steps, of which only that for everything but the long texts grows with the body. */
function* readJsonInSteps(body: Buffer, options: ReadOptions): Generator<undefined, unknown> {
  const longStrings = yield* scanStructure(body, { ...options, minBytes: minBytesOfLongText })
  if (longStrings.length === 0) return parseWhole(body)
  const parsed = yield* parseJsonInSteps(body, longStrings)
  if (parsed === undefined) return parseWhole(body)
  const { data, skeleton, texts } = parsed
  if (mayHaveForbiddenField(skeleton)) refuseForbiddenField(data)
  if (options.keepLongTexts && typeof data === 'object' && data !== null) rememberLongTexts(data, texts)
  return data
}

function parseWhole(body: Buffer): unknown {
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
