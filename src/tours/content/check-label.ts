import type { Problem } from '#kernel/errors'
import { bounds } from '../tour.ts'

/** Line breaks and other control characters: a label is one line wherever it is written. */
// oxlint-disable-next-line no-control-regex
const beyondOneLine = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** Something that is seen: characters that only join, turn or hide others are nothing by themselves. */
const visible = /[^\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/u

/** Says what is wrong with the label of a tour or a step; undefined when it can be shown as it is. */
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

/** The words of an element, as one line of a length that tells it from others; null when there are none. */
export function oneLine(text: string | null): string | null {
  const line = (text ?? '')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim()
  return line === '' ? null : Array.from(line).slice(0, bounds.targetText).join('').trim()
}
