import { bounds } from '../tour.ts'

/** Derives a machine name from a label: lower case, `_` between words. `fallback` when no character is left. */
export function machineName(label: string, fallback: string): string {
  const name = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, bounds.id)
    .replaceAll(/^_+|_+$/g, '')
  return name === '' ? fallback : name
}

/** Appends the first number that makes the name unique: `name_2`, `name_3`. A long name is shortened for it. */
export function uniqueName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name
  for (let number = 2; ; number += 1) {
    const suffix = `_${number}`
    const candidate = trimUnderscores(name.slice(0, bounds.id - suffix.length)) + suffix
    if (!isTaken(candidate)) return candidate
  }
}

/** The prefix that a name and all its numbered variants share, even when they were shortened. */
export function sharedPrefix(name: string): string {
  return trimUnderscores(name.slice(0, bounds.id - 8))
}

function trimUnderscores(name: string): string {
  return name.replace(/_+$/, '')
}
