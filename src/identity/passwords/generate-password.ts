import { randomInt } from 'node:crypto'

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
