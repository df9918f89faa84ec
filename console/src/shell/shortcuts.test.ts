import { describe, expect, test } from 'vitest'
import { createShortcutReader } from './shortcuts.ts'

function setUp() {
  const ran: string[] = []
  const clock = { now: 0 }
  const shortcuts = ['mod+k', '?', 'g o', 'g e', 'e'].map((keys) => ({
    keys,
    about: keys,
    run: () => ran.push(keys),
  }))
  const read = createShortcutReader(shortcuts, () => clock.now)
  const press = (
    key: string,
    modifiers: Partial<{ ctrlKey: boolean; metaKey: boolean; altKey: boolean }> = {},
  ) => read({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers })
  return { ran, clock, press }
}

describe('createShortcutReader', () => {
  test('runs a single key and a key with Ctrl or Command', () => {
    const { ran, press } = setUp()
    expect([press('?'), press('k', { ctrlKey: true }), press('K', { metaKey: true })]).toEqual([
      true,
      true,
      true,
    ])
    expect(ran).toEqual(['?', 'mod+k', 'mod+k'])
  })

  test('runs two keys in turn, and prefers the pair to the single key', () => {
    const { ran, press } = setUp()
    press('g')
    press('e')
    expect(ran).toEqual(['g e'])
  })

  test('drops the first key after a second', () => {
    const { ran, clock, press } = setUp()
    press('g')
    clock.now = 1_001
    expect(press('o')).toBe(false)
    expect(ran).toEqual([])
  })

  test('ignores unknown keys, and keys with Alt or Ctrl', () => {
    const { ran, press } = setUp()
    expect([press('x'), press('?', { altKey: true }), press('e', { ctrlKey: true })]).toEqual([
      false,
      false,
      false,
    ])
    expect(ran).toEqual([])
  })
})
