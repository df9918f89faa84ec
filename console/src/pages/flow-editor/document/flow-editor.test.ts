import { expect, test } from 'vitest'
import { addStep, setFlowValue } from './edits.ts'
import { emptyDocument, readDefinition } from './flow-document.ts'
import { createFlowEditor } from './flow-editor.ts'

test('changes are published, undone and redone, and count until they are saved', () => {
  const editor = createFlowEditor({ saved: emptyDocument, now: () => 0 })
  let told = 0
  const stop = editor.subscribe(() => (told += 1))
  editor.change({ what: 'the label' }, (it) => setFlowValue(it, ['label'], 'News'))
  expect(editor.read()).toMatchObject({ isChanged: true, undoes: 'the label' })
  expect(editor.undo()).toBe('the label')
  expect(editor.undo()).toBeUndefined()
  expect(editor.read()).toMatchObject({ isChanged: false, redoes: 'the label' })
  editor.redo()
  editor.saved(editor.read().document)
  expect(editor.read().isChanged).toBe(false)
  expect(told).toBe(4)
  stop()
  editor.undo()
  expect(told).toBe(4)
  expect(editor.read().isChanged).toBe(true)
})

test('a draft is one change after the saved flow', () => {
  const editor = createFlowEditor({
    saved: emptyDocument,
    draft: setFlowValue(emptyDocument, ['label'], 'News'),
  })
  expect(editor.read()).toMatchObject({ isChanged: true, undoes: 'the draft' })
})

test('the selection follows its step, and a requested path selects its step', () => {
  const editor = createFlowEditor({ saved: emptyDocument })
  editor.change({ what: 'a step' }, (it) => addStep(it, { id: 'a', type: 'agent' }))
  editor.select(['a'])
  editor.undo()
  expect(editor.read().selected).toEqual([])
  editor.redo()
  editor.ask('steps[0].input')
  expect(editor.read()).toMatchObject({ selected: ['a'], asked: { path: 'steps[0].input', count: 1 } })
  editor.ask('label')
  expect(editor.read()).toMatchObject({ selected: [], asked: { path: 'label', count: 2 } })
})

test.each([
  [[], 'A workflow must be a JSON object in braces.'],
  [{ steps: {} }, 'steps must be an array.'],
  [{ steps: [1] }, 'steps[0] must be an object.'],
  [{ steps: [{ id: '' }] }, 'steps[0].id must be a string.'],
  [{ steps: [{ id: 'a' }] }, 'steps[0].type must be a string.'],
  [
    {
      steps: [
        { id: 'a', type: 'x' },
        { id: 'a', type: 'x' },
      ],
    },
    'steps[1].id: "a" is used by another step.',
  ],
  [{ id: 1 }, 'id must be a string.'],
  [{ label: null }, 'label must be a string.'],
])('%j cannot be edited: %s', (value, problem) => {
  expect(readDefinition(value)).toEqual({ problem })
})

test('missing fields are added, unknown ones are kept', () => {
  expect(readDefinition({ strange: [1] })).toEqual({ strange: [1], id: '', label: '', steps: [] })
})

test('while the code is shown, paths open there, except those of metadata', () => {
  const editor = createFlowEditor({ saved: emptyDocument })
  const hideCode = editor.showCode()
  editor.ask('label')
  expect(editor.read()).toMatchObject({ asked: null, askedInCode: { path: 'label', count: 1 } })
  editor.ask('metadata.department')
  expect(editor.read()).toMatchObject({ asked: { path: 'metadata.department' }, askedInCode: { count: 1 } })
  hideCode()
  editor.ask('id')
  expect(editor.read()).toMatchObject({ asked: { path: 'id', count: 2 }, askedInCode: { count: 1 } })
})

test('invalid code is kept, and counts as unsaved', () => {
  const editor = createFlowEditor({ saved: emptyDocument })
  const over = editor.read().document.definition
  editor.keepUnread({ text: '{', problem: 'Line 1: …', over })
  expect(editor.read()).toMatchObject({ isChanged: true, unread: { text: '{' }, undoes: undefined })
  editor.keepUnread(null)
  expect(editor.read()).toMatchObject({ isChanged: false, unread: null })
})
