import { expect, test } from 'vitest'
import { drawnId, readDrawnId } from './drawn-id.ts'

test('any ID is encoded without selector characters, and can be decoded', () => {
  for (const id of ['plain_id-2', 'a "b" \\ ]', '.2e.', 'Überschrift 🙂', '\ud800', '["conditions",0]', '']) {
    expect(drawnId(id)).toMatch(/^[\w.-]*$/)
    expect(readDrawnId(drawnId(id))).toBe(id)
  }
  expect(drawnId('plain_id-2')).toBe('plain_id-2')
})
