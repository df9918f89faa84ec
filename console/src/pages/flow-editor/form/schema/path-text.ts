import type { JsonPath } from '../../document/json.ts'

/** A path as the platform writes it: `conditions[0].action.target_step`. */
export function pathText(path: JsonPath): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
}

/** Whether one place is the other or lies inside of it. */
export function isWithin(path: string, place: string): boolean {
  if (place === '') return true
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}
