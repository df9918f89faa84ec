import { plainValue } from '#kernel/json-text'
import { secretMark } from '../definition/kinds/used-secrets.ts'
import { StepFailure } from './step-failure.ts'
import type { StepResult, StepRun } from './step-run.ts'

/** The secret values that a step has used. They must not leave it: other systems may repeat them in their responses. */
export interface SecretValues {
  /** `name` is shown in place of the value. */
  add(name: string, value: string): void
  redactText(text: string): string
  /** Redacts all texts, numbers and keys inside a JSON value. */
  redact<Value>(value: Value): Value
}

/** Shorter texts match by chance. Stored values are at least as long. */
const minLength = 8

/** The values of one attempt of a step. Does not throw. */
export function createSecretValues(): SecretValues {
  const marks = new Map<string, string>()
  /** Made at the first use after the last value was added. */
  let replace: ((text: string) => string) | undefined

  function redactText(text: string): string {
    if (marks.size === 0) return text
    replace ??= createReplacer(marks)
    return replace(text)
  }

  function redact(given: unknown): unknown {
    const value = plainValue(given)
    if (typeof value === 'string') return redactText(value)
    if (typeof value === 'number') {
      const text = String(value)
      const shown = redactText(text)
      return shown === text ? value : shown
    }
    if (Array.isArray(value)) return value.map(redact)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [redactText(key), redact(inner)]))
  }

  return {
    add(name, value) {
      for (const form of formsOf(value)) if (!marks.has(form)) marks.set(form, secretMark(name))
      replace = undefined
    },
    redactText,
    redact: <Value>(value: Value) => (marks.size === 0 ? value : (redact(value) as Value)),
  }
}

/** Hashes the last four characters. */
const hashBits = 16
const hashSize = 2 ** hashBits
const hashed = 4

/**
 * Replaces texts by their marks in one pass: searching for one text after the other would take seconds in a response of 8 MB, because a
 * value has many forms. A table of hashes finds the places where a text may begin. Texts that overlap are replaced together.
 */
function createReplacer(marks: ReadonlyMap<string, string>): (text: string) => string {
  const begins = new Uint8Array(hashSize)
  const byBeginning = new Map<string, string[]>()
  // The longest first: a text that is part of another one would leave the rest of it.
  for (const form of [...marks.keys()].toSorted((one, other) => other.length - one.length)) {
    const beginning = form.slice(0, minLength)
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), form])
    let hash = 0
    for (let at = 0; at < hashed; at += 1) hash = nextHash(hash, form.charCodeAt(at))
    begins[hash] = 1
  }

  return (text) => {
    const pieces: string[] = []
    let hash = 0
    /** The end of the text that is copied or replaced. */
    let covered = 0
    for (let at = 0; at < text.length; at += 1) {
      hash = nextHash(hash, text.charCodeAt(at))
      if (begins[hash] === 0) continue
      const start = at - hashed + 1
      const form =
        start < 0
          ? undefined
          : byBeginning.get(text.slice(start, start + minLength))?.find((it) => text.startsWith(it, start))
      if (form === undefined) continue
      if (start >= covered) pieces.push(text.slice(covered, start), marks.get(form) ?? '')
      covered = Math.max(covered, start + form.length)
    }
    return pieces.length === 0 ? text : pieces.join('') + text.slice(covered)
  }
}

/** Each character moves four bits, so only the last four count. */
function nextHash(hash: number, code: number): number {
  return ((hash << (hashBits / hashed)) ^ code) & (hashSize - 1)
}

/** For steps that must not use secrets: `add` throws. */
export const noSecretValues: SecretValues = {
  add() {
    throw new Error('steps of this kind must not use secrets')
  },
  redactText: (text) => text,
  redact: (value) => value,
}

/** The value, and the forms in which other systems repeat it. */
function formsOf(value: string): readonly string[] {
  const lines = value.split(/[\r\n]+/)
  const whole = [value, lines.join(' ')].flatMap(encodingsOf)
  return [...new Set([...whole, ...lines.slice(0, maxLines)])].filter((form) => form.length >= minLength)
}

/** A private key in PEM has fewer lines. */
const maxLines = 100

function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  // An access token may be any JSON text, and only well-formed text can be percent-encoded.
  const percent = encodeURIComponent(text.toWellFormed())
  const strict = percent.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const form = new URLSearchParams({ '': text }).toString().slice(1)
  const urls = [percent, strict, form, encodeURI(text.toWellFormed())]
  const json = JSON.stringify(text).slice(1, -1)
  const base64 = [0, 1, 2].map((shift) => base64Inside(bytes, shift))
  return [
    text,
    ...urls,
    ...urls.map((encoded) => encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    json,
    json.replaceAll('/', '\\/'),
    // JSON with escapes for everything that is not ASCII, as some libraries write it.
    json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    escapeHtml(text),
    ...base64,
    ...base64.map((encoded) => encoded.replaceAll('+', '-').replaceAll('/', '_')),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ]
}

/** The characters that a value always has in base64, at one of three positions in the encoded text. */
function base64Inside(bytes: Buffer, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
  return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
}

function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replaceAll(/[&<>"']/g, (sign) => names[sign] ?? sign)
}

/** A run whose log lines have no secret values. */
export function redactLog<Run extends StepRun>(run: Run, used: SecretValues): Run {
  return {
    ...run,
    log: (level, message, details) => run.log(level, used.redactText(message), used.redact(details)),
  }
}

/** A result without secret values. */
export function redactResult(result: StepResult, used: SecretValues): StepResult {
  return { ...result, output: used.redact(result.output), details: used.redact(result.details) }
}

/** An error without secret values. Its cause is left out, because it may have them, too. */
export function redactError(error: unknown, used: SecretValues): unknown {
  if (error instanceof StepFailure) {
    const { code, provider, retryAfterMs, usage } = error
    const message = used.redactText(error.message)
    return new StepFailure({
      code,
      message,
      provider,
      retryAfterMs,
      usage,
      details: used.redact(error.details),
    })
  }
  if (!(error instanceof Error) || used.redactText(error.message) === error.message) return error
  return new Error(used.redactText(error.message))
}
