import type { DraftDefinition } from '../document/flow-document.ts'
import { isSameJson } from '../document/json.ts'

/** Whether two drafts would run the same; what they are called makes no difference. */
export function runsAlike(left: DraftDefinition, right: DraftDefinition): boolean {
  return isSameJson({ ...left, id: '', label: '' }, { ...right, id: '', label: '' })
}
