import { bounds } from '../tour.ts'

/** A name for machines from one for people: lower case, `_` between words. `otherwise` where nothing of it is left. */
export function machineName(label: string, otherwise: string): string {
  const name = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, bounds.id)
    .replaceAll(/^_+|_+$/g, '')
  return name === '' ? otherwise : name
}

/** The same name with the first number that makes it the only one: `name_2`, `name_3`… A name that is cut for it ends in a word. */
export function uniqueName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name
  for (let number = 2; ; number += 1) {
    const suffix = `_${number}`
    const candidate = withoutEnd(name.slice(0, bounds.id - suffix.length)) + suffix
    if (!isTaken(candidate)) return candidate
  }
}

/** What all numbered names of a name have in common, however much of it was cut. */
export function sharedBeginning(name: string): string {
  return withoutEnd(name.slice(0, bounds.id - 8))
}

function withoutEnd(name: string): string {
  return name.replace(/_+$/, '')
}
