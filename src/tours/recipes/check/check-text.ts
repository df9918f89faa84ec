import type { Finder } from './finder.ts'

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/
const moreThanOneLine = /[\n\r\u2028\u2029]/

/** A text on one line: what people read as a name. */
export function checkLine(value: unknown, path: readonly (string | number)[], finder: Finder): void {
  const wrong = problemOf(value)
  if (wrong !== undefined) finder.error(path, wrong.code, wrong.message)
}

function problemOf(value: unknown): { readonly code: string; readonly message: string } | undefined {
  if (value === undefined || value === null)
    return { code: 'required', message: 'This is missing, and the site refuses it.' }
  if (typeof value !== 'string') return { code: 'type', message: 'This must be a text; put it into quotes.' }
  if (value.trim() === '') return { code: 'blank', message: 'This must not be blank; the site refuses it.' }
  if (moreThanOneLine.test(value))
    return { code: 'one_line', message: 'This must be one line; the site refuses more.' }
  if (control.test(value))
    return { code: 'control_characters', message: 'This has control characters; the site refuses them.' }
  return undefined
}

export function hasControls(text: string): boolean {
  return control.test(text)
}

/** Keys of a map that are not among those it may have. */
export function strayKeys(map: ReadonlyMap<unknown, unknown>, known: readonly string[]): string[] {
  return [...map.keys()].map(String).filter((key) => !known.includes(key))
}
