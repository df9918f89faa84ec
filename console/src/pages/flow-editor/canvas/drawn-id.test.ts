import { expect, test } from 'vitest'
import { drawnId, readDrawnId } from './drawn-id.ts'

test('any id gets a name without anything that means something in a selector, and can be read from it', () => {
  for (const id of ['plain_id-2', 'a "b" \\ ]', '.2e.', 'Überschrift 🙂', '\ud800', '["conditions",0]', '']) {
    expect(drawnId(id)).toMatch(/^[\w.-]*$/)
    expect(readDrawnId(drawnId(id))).toBe(id)
  }
  expect(drawnId('plain_id-2')).toBe('plain_id-2')
})
