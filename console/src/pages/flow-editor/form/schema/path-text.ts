import type { FlowDocument } from '../../document/flow-document.ts'
import type { JsonPath } from '../../document/json.ts'
import { stepAtPath } from '../../document/scopes.ts'

/** A path as the server writes it: `conditions[0].action.target_step`. */
export function pathText(path: JsonPath): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
}

/** Whether one path equals the other or is inside of it. */
export function isWithin(path: string, place: string): boolean {
  if (place === '') return true
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}

/** A path of the definition relative to its step: `steps[2].prompt` becomes `prompt`. */
export function withinStep(document: FlowDocument, path: string): string {
  return stepAtPath(document, path)?.rest ?? path
}
