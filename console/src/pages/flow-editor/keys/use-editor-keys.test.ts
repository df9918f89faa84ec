import { expect, test } from 'vitest'
import { keyActionOf } from './use-editor-keys.ts'

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const ctrl = (key: string) => ({ ...none, key, ctrlKey: true })
const plain = (key: string) => ({ ...none, key })

test('Ctrl and Command are equivalent', () => {
  expect(keyActionOf(ctrl('z'), 'flow')).toBe('undo')
  expect(keyActionOf({ ...none, key: 'z', metaKey: true }, 'flow')).toBe('undo')
  expect(keyActionOf({ ...ctrl('Z'), shiftKey: true }, 'flow')).toBe('redo')
  expect(keyActionOf(ctrl('y'), 'flow')).toBe('redo')
  expect(keyActionOf(ctrl('d'), 'flow')).toBe('duplicate')
  expect(keyActionOf(ctrl('Enter'), 'flow')).toBe('try')
})

test('a text field keeps its keys, except for saving', () => {
  expect(keyActionOf(ctrl('a'), 'field')).toBeUndefined()
  expect(keyActionOf(plain('Backspace'), 'field')).toBeUndefined()
  expect(keyActionOf(plain('Escape'), 'field')).toBeUndefined()
  expect(keyActionOf(ctrl('z'), 'field')).toBe('undo')
  expect(keyActionOf(ctrl('z'), 'own')).toBeUndefined()
  expect(keyActionOf(ctrl('s'), 'own')).toBe('save')
})

test('Delete removes steps only where the flow has the focus', () => {
  expect(keyActionOf(plain('Delete'), 'flow')).toBe('remove')
  expect(keyActionOf(plain('Delete'), 'control')).toBeUndefined()
})

test('dialogs keep all their keys, and other combinations are ignored', () => {
  expect(keyActionOf(ctrl('s'), 'dialog')).toBeUndefined()
  expect(keyActionOf(plain('Escape'), 'dialog')).toBeUndefined()
  expect(keyActionOf({ ...ctrl('a'), altKey: true }, 'flow')).toBeUndefined()
  expect(keyActionOf({ ...ctrl('s'), shiftKey: true }, 'flow')).toBeUndefined()
  expect(keyActionOf(ctrl('k'), 'flow')).toBeUndefined()
  expect(keyActionOf(plain('?'), 'flow')).toBeUndefined()
})
