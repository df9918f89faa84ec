import { isObject, type Json } from '../document/json.ts'
import type { StepKind } from '../document/step-kinds.ts'

export const kindDragType = 'application/x-tutti-step'

export function writeKind(kind: StepKind): string {
  return JSON.stringify(kind)
}

/** Reads the step type of drag data; null for other data. */
export function readKind(text: string): StepKind | null {
  try {
    const value = JSON.parse(text) as Json
    if (!isObject(value)) return null
    const { type, title, about, beginsWith } = value
    if (typeof type !== 'string' || typeof title !== 'string' || typeof about !== 'string') return null
    return isObject(beginsWith) ? { type, title, about, beginsWith } : null
  } catch {
    return null
  }
}
