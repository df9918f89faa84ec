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
  /** The longest first: a value that is part of another one would leave the rest of it. */
  let forms: readonly string[] = []

  function redactText(text: string): string {
    let shown = text
    for (const form of forms) {
      if (shown.includes(form)) shown = shown.replaceAll(form, () => marks.get(form) ?? '')
    }
    return shown
  }

  function redact(value: unknown): unknown {
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
      forms = [...marks.keys()].toSorted((one, other) => other.length - one.length)
    },
    redactText,
    redact: <Value>(value: Value) => (forms.length === 0 ? value : (redact(value) as Value)),
  }
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
  const plain = [value, lines.join(' '), ...lines]
  return [...new Set(plain.flatMap(encodingsOf))].filter((form) => form.length >= minLength)
}

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
