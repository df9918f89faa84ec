import { randomInt } from 'node:crypto'

const minCharacters = 8
const maxBytes = 1024

/**
 * The rule a new password breaks, as the end of a sentence ("must have …"); undefined when it follows all rules. Does
 * not throw.
 */
export function describeUnfitPassword(password: string): string | undefined {
  if (Array.from(password).length < minCharacters) return `must have at least ${minCharacters} characters`
  if (Buffer.byteLength(password) > maxBytes) return `must not be longer than ${maxBytes} bytes`
  return undefined
}

/** Without characters that are easily confused: i, l, o, 0, 1. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 5

/** Generates a password that is easy to read out and type: 20 characters in four groups, 99 bits. */
export function generatePassword(): string {
  return Array.from({ length: groups }, generateGroup).join('-')
}

function generateGroup(): string {
  return Array.from({ length: groupLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}
