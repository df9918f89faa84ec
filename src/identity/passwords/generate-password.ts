import { randomInt } from 'node:crypto'

/** Nothing that looks like something else on a screen or on paper: no i, l, o, 0, 1. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 5

/** A password that can be read out and typed: 20 characters in four groups, 99 bits. */
export function generatePassword(): string {
  return Array.from({ length: groups }, generateGroup).join('-')
}

function generateGroup(): string {
  return Array.from({ length: groupLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}
