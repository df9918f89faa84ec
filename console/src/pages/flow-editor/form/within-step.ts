import type { DraftStep } from '../document/flow-document.ts'

/** A path of the definition as the form of its step knows it: `steps[2].prompt` is `prompt` there. */
export function withinStep(steps: readonly DraftStep[], path: string): string {
  const [start = '', index] = /^steps\[(\d+)\]\.?/.exec(path) ?? []
  return index === undefined || steps[Number(index)] === undefined ? path : path.slice(start.length)
}
