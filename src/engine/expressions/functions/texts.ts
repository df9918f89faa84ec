import { matchesPattern } from '../compare.ts'
import { countOf, type ExpressionFunction, invalidValue, numberOf } from './values.ts'

/** A text longer than this is not made by padding. */
const maxPadded = 10_000

/** Methods of texts, and functions of numbers. CEL itself has split, join, trim, startsWith, endsWith, contains and matches. */
export const textFunctions: readonly ExpressionFunction[] = [
  {
    signature: 'string.replace(string, string): string',
    description: 'The text with every occurrence of a text replaced by another one.',
    handler: (text: string, from: string, to: string) => text.replaceAll(from, () => to),
  },
  {
    signature: 'string.lower(): string',
    description: 'The text in lower case.',
    handler: (text: string) => text.toLowerCase(),
  },
  {
    signature: 'string.upper(): string',
    description: 'The text in upper case.',
    handler: (text: string) => text.toUpperCase(),
  },
  {
    signature: 'string.pad(int, string): string',
    description: 'The text, filled up on the left to a length: `"7".pad(3, "0")` is `"007"`.',
    handler: (text: string, length: bigint, filler: string) =>
      text.padStart(countOf(length, 'pad', maxPadded), filler),
  },
  {
    signature: 'string.like(string): bool',
    description: 'Whether the text matches a pattern in which `*` is any text.',
    handler: (text: string, pattern: string) => matchesPattern(text, pattern),
  },
  {
    signature: 'string.truncate(int): string',
    description: 'The first characters of the text, with `…` when it is longer.',
    handler: truncate,
  },
  {
    signature: 'round(dyn): double',
    description: 'The number without decimals, rounded.',
    handler: (value: unknown) => roundTo(value, 0),
  },
  {
    signature: 'round(dyn, int): double',
    description: 'The number rounded to this many decimals.',
    handler: (value: unknown, digits: bigint) => roundTo(value, countOf(digits, 'round', 15)),
  },
  {
    signature: 'floor(dyn): double',
    description: 'The largest whole number that is not greater.',
    handler: (value: unknown) => Math.floor(numberOf(value, 'floor')),
  },
  {
    signature: 'ceil(dyn): double',
    description: 'The smallest whole number that is not less.',
    handler: (value: unknown) => Math.ceil(numberOf(value, 'ceil')),
  },
  {
    signature: 'format_number(dyn, int): string',
    description: 'The number with this many decimals: `format_number(1234.5, 2)` is `"1,234.50"`.',
    handler: (value: unknown, digits: bigint) => formatNumber(value, digits, 'en'),
  },
  {
    signature: 'format_number(dyn, int, string): string',
    description: 'The same in a language: `format_number(1234.5, 2, "de")` is `"1.234,50"`.',
    handler: (value: unknown, digits: bigint, language: string) => formatNumber(value, digits, language),
  },
]

function truncate(text: string, length: bigint): string {
  const most = countOf(length, 'truncate', Number.MAX_SAFE_INTEGER)
  if (text.length <= most) return text
  // A character outside the Basic Multilingual Plane has two units, which stay together.
  const cut = text.slice(0, most)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

function roundTo(value: unknown, digits: number): number {
  const number = numberOf(value, 'round')
  const rounded = Number(`${Math.round(Number(`${number}e${digits}`))}e-${digits}`)
  // Very large and very small numbers are written with an exponent, to which another one cannot be added.
  return Number.isNaN(rounded) ? Number(number.toFixed(digits)) : rounded
}

function formatNumber(value: unknown, digits: bigint, language: string): string {
  const decimals = countOf(digits, 'format_number', 15)
  const number = numberOf(value, 'format_number')
  try {
    return new Intl.NumberFormat(language, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }).format(number)
  } catch {
    throw invalidValue(`"${language.slice(0, 40)}" is not a language such as "en" or "de-AT"`)
  }
}
