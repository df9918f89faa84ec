import { moveStep, pasteSteps } from '../document/edits.ts'
import type { FlowDocument } from '../document/flow-document.ts'
import { copySteps, movedAside } from './copied-steps.ts'

/** Puts copies of steps behind the last of them. */
export function duplicateSteps(
  document: FlowDocument,
  ids: readonly string[],
): { readonly document: FlowDocument; readonly copies: readonly string[] } {
  const { steps, places } = copySteps(document, ids)
  const last = document.definition.steps.findLastIndex(({ id }) => ids.includes(id))
  const { document: changed, pasted } = pasteSteps(document, steps, movedAside(places))
  return {
    document: pasted.reduce((moved, id, index) => moveStep(moved, id, last + 1 + index), changed),
    copies: pasted,
  }
}
