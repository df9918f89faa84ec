import { type Finding, mostSpots, type Subject } from './subject.ts'

export interface PersonalDatum {
  readonly kind: 'email' | 'phone' | 'iban' | 'card'
  /** With most of it hidden: a report about personal data must not spread them. */
  readonly masked: string
}

const email = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}/g
const phone = /(?<![\w.])\+\d{1,3}[ \-./()\d]{7,20}\d(?!\w)/g
const ibanStart = /\b[A-Z]{2}\d{2}/g
/** 34 signs, and a blank after every four. */
const longestIban = 42
/** What begins like an account in a text that is made to look so. */
const mostStarts = 2000
const card = /\b(?:\d[ -]?){12,18}\d\b/g

/** Addresses, telephone numbers, accounts and cards. Accounts and cards have check digits, so a number that is none is not taken for one. */
export function personalDataIn(text: string): PersonalDatum[] {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([found]) => found.trim())
  const found: PersonalDatum[] = [
    ...all(email).map((it) => ({ kind: 'email' as const, masked: it.replace(/^(.).*@/, '$1…@') })),
    ...ibansIn(text).map((it) => ({ kind: 'iban' as const, masked: ends(it) })),
    ...all(card)
      .filter(isCard)
      .map((it) => ({ kind: 'card' as const, masked: ends(it) })),
    ...all(phone).map((it) => ({ kind: 'phone' as const, masked: ends(it) })),
  ]
  const byName = new Map(found.map((datum) => [`${datum.kind} ${datum.masked}`, datum]))
  return [...byName.values()].slice(0, mostSpots)
}

export function findPersonalData({ text }: Subject): Finding {
  const findings = personalDataIn(text)
  return { count: findings.length, kinds: [...new Set(findings.map(({ kind }) => kind))], findings }
}

function ends(text: string): string {
  return `${text.slice(0, 4)}…${text.slice(-2)}`
}

/** With its blanks. What stands behind one may look like more of it, so the longest piece whose check digits are right is taken. */
function ibansIn(text: string): string[] {
  return [...text.matchAll(ibanStart).take(mostStarts)].flatMap(({ index }) => {
    const [piece = ''] = /^[A-Z0-9]+(?: [A-Z0-9]+){0,12}/.exec(text.slice(index, index + longestIban)) ?? []
    const stops = [...piece.matchAll(/(?<=[A-Z0-9])(?= |$)/g)].map((end) => end.index)
    const found = stops.toReversed().find((end) => isIban(piece.slice(0, end)))
    return found === undefined ? [] : [piece.slice(0, found)]
  })
}

/** ISO 13616: as a number, the account has to leave 1 when it is divided by 97. */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  if (plain.length < 15 || plain.length > 34) return false
  const digits = Array.from(`${plain.slice(4)}${plain.slice(0, 4)}`)
    .map((sign) => (/\d/.test(sign) ? sign : String(sign.charCodeAt(0) - 55)))
    .join('')
  return BigInt(digits) % 97n === 1n
}

/** Luhn, and not all the same digit. */
function isCard(text: string): boolean {
  const digits = Array.from(text.replaceAll(/\D/g, ''), Number)
  if (digits.length < 13 || new Set(digits).size === 1) return false
  const total = digits.toReversed().reduce((sum, digit, index) => {
    if (index % 2 === 0) return sum + digit
    return sum + (digit > 4 ? digit * 2 - 9 : digit * 2)
  }, 0)
  return total % 10 === 0
}
