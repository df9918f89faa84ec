import { EventEmitter } from 'node:events'
import { Failure } from '#kernel/errors'

/** Limits of a logged value. Content beyond them is counted, not written. */
export interface RedactionBounds {
  /** Fields of one line. */
  readonly fields: number
  readonly depth: number
  readonly entriesPerObject: number
  /** Values of any kind in one logged field. */
  readonly entriesPerField: number
  readonly textLength: number
  /** Characters of all texts in one logged field. */
  readonly charactersPerField: number
  readonly causes: number
}

export const redactionBounds: RedactionBounds = {
  fields: 64,
  depth: 8,
  entriesPerObject: 64,
  entriesPerField: 512,
  textLength: 8192,
  charactersPerField: 65_536,
  causes: 8,
}

export interface Redactor {
  /** Returns a copy that is safe to log: no secrets, no cycles, bounded size. Never throws. */
  redactValue(value: unknown): unknown
  /** Returns the same record if no field has a sensitive name, else a copy with those fields redacted. Checks one level only. */
  redactFields(record: Record<string, unknown>): Record<string, unknown>
}

interface Walk {
  entriesLeft: number
  charactersLeft: number
  readonly open: Set<object>
}

/** Creates the redactor that every logged value passes. */
export function createRedactor(bounds: RedactionBounds = redactionBounds): Redactor {
  const classifyName = createNameClassifier()

  function redactValue(value: unknown): unknown {
    if (typeof value === 'string') return redactLongText(value, bounds.textLength)
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
    return copy(value, 0, {
      entriesLeft: bounds.entriesPerField,
      charactersLeft: bounds.charactersPerField,
      open: new Set(),
    })
  }

  function redactFields(record: Record<string, unknown>): Record<string, unknown> {
    let result = record
    let count = 0
    for (const name in record) {
      count += 1
      if (count > bounds.fields) return cutFields(result)
      if (classifyName(name).sensitivity === 'plain') continue
      const shown = copyNamed(name, record[name])
      if (shown === record[name]) continue
      if (result === record) result = { ...record }
      result[name] = shown
    }
    return result
  }

  function cutFields(record: Record<string, unknown>): Record<string, unknown> {
    const names = Object.keys(record)
    const kept = Object.fromEntries(names.slice(0, bounds.fields).map((name) => [name, record[name]]))
    return { ...kept, '…': `${names.length - bounds.fields} more fields` }
  }

  /** The value itself, or `[redacted]` when its name is sensitive. */
  function copyNamed(name: string, value: unknown): unknown {
    if (value === undefined || value === null || value === '' || typeof value === 'boolean') return value
    const { sensitivity } = classifyName(name)
    if (sensitivity === 'plain') return value
    if (typeof value === 'number' && (sensitivity === 'code' || name === 'key')) return value
    return sensitivity === 'code' && typeof value === 'string' && isStatusCode(value) ? value : redacted
  }

  function copy(value: unknown, depth: number, walk: Walk): unknown {
    walk.entriesLeft -= 1
    switch (typeof value) {
      case 'string':
        return copyText(value, walk)
      case 'bigint':
        return String(value)
      case 'symbol':
        return String(value)
      case 'function':
        return `[function ${value.name || 'anonymous'}]`
      case 'object':
        return value === null ? null : copyObject(value, depth, walk)
      default:
        return value
    }
  }

  function copyText(text: string, walk: Walk): string {
    if (walk.charactersLeft <= 0) return '[…]'
    const shown = redactLongText(text, Math.min(bounds.textLength, walk.charactersLeft))
    walk.charactersLeft -= shown.length
    return shown
  }

  function showName(name: string, walk: Walk): string {
    const { shown } = classifyName(name)
    walk.charactersLeft -= shown.length
    return shown
  }

  function copyObject(value: object, depth: number, walk: Walk): unknown {
    if (walk.open.has(value)) return '[circular]'
    if (depth >= bounds.depth)
      return Array.isArray(value) ? `[array of ${value.length}]` : `[${typeName(value)}]`
    walk.open.add(value)
    try {
      return copyKind(value, depth, walk)
    } catch {
      // A getter, a proxy or a toJSON of the object threw: the log line matters more than this value.
      return '[unreadable]'
    } finally {
      walk.open.delete(value)
    }
  }

  function copyKind(value: object, depth: number, walk: Walk): unknown {
    if (Array.isArray(value)) return copyList(value, value.length, depth, walk)
    if (value instanceof Error) return copyError(value, depth, walk)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString()
    if (value instanceof URL) return copyText(value.href, walk)
    if (value instanceof RegExp) return copyText(String(value), walk)
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      return `[${typeName(value)} of ${value.byteLength} bytes]`
    }
    if (value instanceof Map || value instanceof Headers || value instanceof URLSearchParams) {
      return copyEntries(value.entries(), depth, walk)
    }
    if (value instanceof Set) return copyList(value, value.size, depth, walk)
    // Sockets, streams and servers refer to much of the process; their type is enough.
    if (value instanceof EventEmitter || value instanceof Promise) return `[${typeName(value)}]`
    if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), depth + 1, walk)
    return copyEntries(ownEntries(value), depth, walk)
  }

  function copyList(items: Iterable<unknown>, length: number, depth: number, walk: Walk): unknown[] {
    const shown: unknown[] = []
    let previous: unknown
    for (const item of items) {
      if (shown.length >= bounds.entriesPerObject || walk.entriesLeft <= 0) {
        shown.push(`[${length - shown.length} more]`)
        break
      }
      // In raw header lists and pairs the name precedes its value.
      const named =
        typeof previous === 'string' && typeof item === 'string' ? copyNamed(previous, item) : item
      shown.push(copy(named, depth + 1, walk))
      previous = item
    }
    return shown
  }

  function copyEntries(entries: Iterable<[unknown, unknown]>, depth: number, walk: Walk): unknown {
    const shown: Record<string, unknown> = {}
    let count = 0
    let valueName: unknown
    for (const [key, value] of entries) {
      count += 1
      if (count > bounds.entriesPerObject || walk.entriesLeft <= 0) {
        shown['…'] = 'more fields omitted'
        break
      }
      const name = typeof key === 'string' ? key : `[${typeName(key)}]`
      if (name === 'name' || name === 'key' || name === 'header') valueName = value
      // `{ name: 'authorization', value: '…' }` is a field too.
      const named = name === 'value' && typeof valueName === 'string' ? copyNamed(valueName, value) : value
      setField(shown, showName(name, walk), copy(copyNamed(name, named), depth + 1, walk))
    }
    return shown
  }

  function copyError(error: Error, depth: number, walk: Walk): unknown {
    const shown: Record<string, unknown> = { type: copyText(errorType(error), walk) }
    shown.message = copyText(asText(error.message), walk)
    for (const [key, value] of ownEntries(error)) {
      if (key === 'message' || key === 'stack' || key === 'cause' || key === 'name') continue
      if (walk.entriesLeft <= 0) break
      setField(shown, showName(key, walk), copy(copyNamed(key, value), depth + 1, walk))
    }
    if (isTemporary(error)) {
      if (error.cause instanceof Error) shown.cause = copyText(asText(error.cause.message), walk)
      return shown
    }
    if (typeof error.stack === 'string') shown.stack = copyText(error.stack, walk)
    if (error.cause !== undefined) {
      shown.cause = walk.open.size > bounds.causes ? '[more causes]' : copy(error.cause, depth, walk)
    }
    if (error instanceof AggregateError) shown.errors = copy(error.errors, depth + 1, walk)
    return shown
  }

  return { redactValue, redactFields }
}

/** Retryable failures, such as an unavailable database, are frequent and have a known origin: no stack is needed. */
function isTemporary(error: Error): boolean {
  return error instanceof Failure && error.retryable
}

function errorType(error: Error): string {
  return error.name === 'Error' ? typeName(error) : asText(error.name)
}

/** The own fields of an object that have a value. */
function* ownEntries(value: object): Iterable<[string, unknown]> {
  const record = value as Record<string, unknown>
  // Lazy, unlike Object.entries: of a million fields only the first few are read.
  for (const key in record) {
    if (Object.hasOwn(record, key) && record[key] !== undefined) yield [key, record[key]]
  }
}

/** Parsed JSON can have a field `__proto__`, which plain assignment would lose. */
function setField(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(record, name, { value, enumerable: true })
  else record[name] = value
}

/** A library may set the message of an error to an object. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeName(value)
}

/** The name of a value's class, or of its type. */
function typeName(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value
  const type: unknown = value.constructor
  return typeof type === 'function' && type.name !== '' ? type.name : 'Object'
}

/** Replaces a secret. */
export const redacted = '[redacted]'

// Every rule below only matches a text that contains one of these. Most log texts contain none and need a single test.
const suspicious =
  /:\/\/|bearer|basic|eyJ|(?:tk|sk|gh[a-z]|pat|whsec)[_-]|xox|passw|pwd|passphrase|secret|token|key|code|cookie|authorization|sess|[?&](?:sig|auth|pass|sid)/i

// `postgres://user:pa/ss@host` is not a valid URL, yet people write it; a port followed by a path is not a password.
const addressPassword = /(:\/\/[^\s:/@]{0,256}):(?!\d{1,5}[/?#])[^\s]{0,2048}@/g
const addressToken = /(:\/\/)[^\s:/@?#]{16,2048}@/g

const bearer = /\b(bearer)(\s+|%20|\+)[^\s"',;\\]+/gi
// "basic" is also an ordinary word, so the next word must look like base64: not only lower-case letters.
const basic = /\b(basic)(\s+|%20|\+)(?![a-z]+\b)[A-Za-z0-9+/_-]{4,}={0,2}/gi

const knownKeys =
  /(?<![A-Za-z0-9])(tk_|sk[-_]|whsec_|gh[opsur]_|github_pat_|xox[abeoprs]-)(?!\[redacted\])[A-Za-z0-9_+/=-]{4,}/g
// A header of any length at the start of a word; inside a word the length is bounded, or `eyJeyJ…` would take quadratic time.
const jsonWebToken =
  /(?:(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}|eyJ[A-Za-z0-9_-]{8,1024})\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g

const cookieHeader = /\b((?:set-)?cookie["']?\s*[:=]\s*)(?!\[redacted\])[^\r\n]+/gi

// The start of the name does not matter: `refresh_token=` ends in `token=`. Its end does: `tokens=` is a count.
const secretName = String.raw`(?:(?:passw(?:or)?d|passphrase|secret)[\w-]{0,32}|pwd|token|(?:api|access|private)[_-]?key|code_?verifier|authorization|\bsess)`
const namedValue = new RegExp(
  // A quoted value ends with its quote; an unquoted one where the next field could begin.
  String.raw`(${secretName})(\\?["']?\s*[=:]\s*|%3D)(\\"(?:(?!\\").)*|"(?:[^"\\]|\\.)*|'(?:[^'\\]|\\.)*|(?!\[redacted\]|bearer\b|basic\b)[^\s"'&,;}\]\\<>)#]+)`,
  'gi',
)
const queryValue = /([?&](?:code|key|sig|signature|auth|pass|sid)=)[^\s&#"'\\<>]+/gi

/**
 * Replaces every secret that is recognisable by its format: passwords in URLs, keys, tokens, `?token=` and others. Does
 * not throw.
 */
export function redactText(text: string): string {
  if (text.length < 6 || !suspicious.test(text)) return text
  return text
    .replaceAll(addressPassword, `$1:${redacted}@`)
    .replaceAll(addressToken, `$1${redacted}@`)
    .replaceAll(bearer, `$1 ${redacted}`)
    .replaceAll(basic, `$1 ${redacted}`)
    .replaceAll(jsonWebToken, redacted)
    .replaceAll(knownKeys, `$1${redacted}`)
    .replaceAll(cookieHeader, `$1${redacted}`)
    .replaceAll(namedValue, redactNamedValue)
    .replaceAll(queryValue, `$1${redacted}`)
}

function redactNamedValue(_match: string, name: string, separator: string, value: string): string {
  const quote = /^\\?["']/.exec(value)?.[0] ?? ''
  return `${name}${separator}${quote}${redacted}`
}

// A secret that is cut in two would no longer be recognised, so more text than the result is redacted.
const overlap = 4096

/** Redacts a text of any length and keeps at most about `maxLength` characters of it. Does not throw. */
export function redactLongText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return redactText(text)
  const safe = redactText(text.slice(0, maxLength + overlap))
  // A text that was redacted as a whole has no secret that is cut in two.
  const isWhole = text.length <= maxLength + overlap
  const kept = safe.slice(0, isWhole ? maxLength : Math.max(0, safe.length - overlap))
  return `${kept}… (cut from ${text.length} characters)`
}

/** Whether a value is logged (`plain`), redacted (`secret`), or redacted unless it looks like a status code (`code`). */
type Sensitivity = 'plain' | 'secret' | 'code'

interface NameSensitivity {
  readonly sensitivity: Sensitivity
  /** The redacted name: addresses and keys are used as names too. */
  readonly shown: string
}

const secretNames = new Set([
  'auth',
  'csrf',
  'clientassertion',
  'codeverifier',
  'jwt',
  'key',
  'otp',
  'pass',
  'pin',
  'pwd',
  'sess',
  'sessionid',
  'sid',
  'totp',
])

const secretParts = /password|passwd|passphrase|secret/
const secretEndings =
  /(?:token|(?:api|access|private|signing|encryption|session)keys?|authorization|cookies?|credentials?)$/

// Names come from requests, so their cache must be bounded.
const maxCachedNames = 2000
const maxNameLength = 128

/** Classifies field and header names in any spelling: `refreshToken`, `refresh_token` and `Refresh-Token` are the same. */
function createNameClassifier(): (name: string) => NameSensitivity {
  const cache = new Map<string, NameSensitivity>()
  return (name) => {
    const known = cache.get(name)
    if (known !== undefined) return known
    const classified = { sensitivity: sensitivityOf(name), shown: redactLongText(name, maxNameLength) }
    if (cache.size < maxCachedNames && name.length <= maxNameLength) cache.set(name, classified)
    return classified
  }
}

/** Whether a field, header or parameter with this name contains a credential. Does not throw. */
export function isSecretName(name: string): boolean {
  return sensitivityOf(name) === 'secret'
}

function sensitivityOf(name: string): Sensitivity {
  const plainName = name
    .slice(-maxNameLength)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  if (plainName === 'code') return 'code'
  const secret = secretNames.has(plainName) || secretParts.test(plainName) || secretEndings.test(plainName)
  return secret ? 'secret' : 'plain'
}

// ECONNREFUSED, UND_ERR_SOCKET, invalid_token, 23505, 57P01. Random codes do not match.
const statusCode = /^(?:E[A-Z0-9]{2,16}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[_-][a-z]+)*|[0-9A-Z]{5})$/

/** True for values of `code` that are status codes, not secrets. */
function isStatusCode(value: string): boolean {
  return value.length <= 40 && statusCode.test(value)
}
