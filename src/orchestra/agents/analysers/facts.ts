import { excerptOf, type Finding, type Issue, maxIssues, outcomeOf, type Subject } from './findings.ts'

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)
const monthNames = months.join('|')

const isoDate = /\b(\d{4})-(\d{2})-(\d{2})\b/g
const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s{1,3}(${monthNames})\\s{1,3}(\\d{4})\\b`, 'gi')
const monthFirst = new RegExp(
  `\\b(${monthNames})\\s{1,3}(\\d{1,2})(?:st|nd|rd|th)?,?\\s{1,3}(\\d{4})\\b`,
  'gi',
)
const sum =
  /(\d{1,12}(?:\.\d{1,6})?)\s{0,3}([+\-−×x*/÷])\s{0,3}(\d{1,12}(?:\.\d{1,6})?)\s{0,3}=\s{0,3}(\d{1,12}(?:\.\d{1,6})?)/g
const range = /\bbetween\s{1,3}(\d{1,9})\s?%?\s{1,3}and\s{1,3}(\d{1,9})(?![\d.,]\d)/gi
const amount =
  /[$€£]\s?\d(?:[\d.,]{0,20}\d)?|(?<![\d.,])\d(?:[\d.,]{0,20}\d)?\s?(?:%|percent\b|per cent\b|€|EUR\b|USD\b|GBP\b)/g

interface FoundDate {
  readonly text: string
  readonly iso: string
  readonly exists: boolean
}

/** Dates in ISO 8601 or with English month names. */
export function datesIn(text: string): FoundDate[] {
  const found = [
    ...[...text.matchAll(isoDate)].map(([all, year, month, day]) =>
      dateOf(all, Number(year), Number(month), Number(day)),
    ),
    ...[...text.matchAll(dayFirst)].map(([all, day, month = '', year]) =>
      dateOf(all, Number(year), months.indexOf(month.toLowerCase()) + 1, Number(day)),
    ),
    ...[...text.matchAll(monthFirst)].map(([all, month = '', day, year]) =>
      dateOf(all, Number(year), months.indexOf(month.toLowerCase()) + 1, Number(day)),
    ),
  ]
  return found.slice(0, maxIssues * 2)
}

function dateOf(text: string, year: number, month: number, day: number): FoundDate {
  const date = new Date(Date.UTC(year, month - 1, day))
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return { text, iso: `${year}-${twoDigits(month)}-${twoDigits(day)}`, exists }
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0')
}

export function amountsIn(text: string): string[] {
  return [...new Set([...text.matchAll(amount)].map(([found]) => found.trim()))].slice(0, maxIssues * 2)
}

/** Sums, ranges and dates that cannot be right; this needs no knowledge besides the text. */
export function findFacts({ text }: Subject): Finding {
  const dates = datesIn(text)
  const issues: Issue[] = [
    ...dates
      .filter(({ exists }) => !exists)
      .map(
        (date): Issue => ({
          rule: 'impossible_date',
          severity: 'high',
          excerpt: date.text,
          message: `There is no ${date.text}.`,
        }),
      ),
    ...wrongSums(text),
    ...reversedRanges(text),
  ]
  return {
    verdict: outcomeOf(issues),
    count: issues.length,
    findings: issues.slice(0, maxIssues),
    dates: dates.map(({ iso }) => iso),
    amounts: amountsIn(text),
  }
}

function wrongSums(text: string): Issue[] {
  return [...text.matchAll(sum)].flatMap(([all, left, sign = '', right, given]) => {
    const result = resultOf(Number(left), sign, Number(right))
    if (result === null || Math.abs(result - Number(given)) < 1e-6 * Math.max(1, Math.abs(result))) return []
    const rounded = Math.round(result * 1e6) / 1e6
    const message = `${excerptOf(all)} is not right: it is ${rounded}.`
    return [{ rule: 'wrong_sum', severity: 'high' as const, excerpt: excerptOf(all), message }]
  })
}

function resultOf(left: number, sign: string, right: number): number | null {
  if (sign === '+') return left + right
  if (sign === '-' || sign === '−') return left - right
  if (sign === '/' || sign === '÷') return right === 0 ? null : left / right
  return left * right
}

function reversedRanges(text: string): Issue[] {
  return [...text.matchAll(range)].flatMap(([all, low, high]) =>
    Number(low) > Number(high)
      ? [
          {
            rule: 'reversed_range',
            severity: 'medium' as const,
            excerpt: excerptOf(all),
            message: `"${excerptOf(all)}" begins with the higher number.`,
          },
        ]
      : [],
  )
}
