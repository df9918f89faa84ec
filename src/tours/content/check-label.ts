import type { Problem } from '#kernel/errors'
import { bounds } from '../tour.ts'

/** Line breaks and other control characters: a label is a single line. */
// oxlint-disable-next-line no-control-regex
const beyondOneLine = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** A visible character: not a space, joiner, direction mark or other invisible character. */
const visible = /[^\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/u

/** Validates the label of a tour or a step; undefined when it is valid. */
export function checkLabel(label: string, path: string): Problem | undefined {
  if (!visible.test(label)) return { path, message: 'is required', code: 'required' }
  if (Array.from(label.trim()).length > bounds.label) {
    return { path, message: `must have at most ${bounds.label} characters`, code: 'maxLength' }
  }
  if (beyondOneLine.test(label.trim())) {
    return { path, message: 'must be one line without control characters', code: 'one_line' }
  }
  return undefined
}

/** The text of an element as one line of limited length; null without text. */
export function oneLine(text: string | null): string | null {
  const line = (text ?? '')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim()
  return line === '' ? null : Array.from(line).slice(0, bounds.targetText).join('').trim()
}
