import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiFailure } from '../../../../api/api-failure.ts'
import type { CallOutcome } from './autosave.ts'
import type { SaveCall } from './next-call.ts'
import type { KeptTour } from './saved-tour.ts'
import { addStep, changeStep, moveStep, newStep } from './tour-document.ts'
import { createTourEditor } from './tour-editor.ts'

const { key: _key, ...plain } = newStep('', 'Hello')
const tour: KeptTour = {
  revision: 1,
  label: 'Tour',
  isPublished: false,
  launch: 'auto',
  routes: ['/'],
  changedBy: null,
  steps: ['a', 'b'].map((id) => ({ ...plain, id, title: id })),
}

/** An editor, and a platform on which another user may change the tour. */
function setUp() {
  const calls: SaveCall[] = []
  let revision = tour.revision
  let theirs: KeptTour | undefined
  const editor = createTourEditor({
    tour,
    async send(call, known): Promise<CallOutcome> {
      if (known !== revision && theirs !== undefined) return { kind: 'conflict', tour: theirs }
      calls.push(call)
      revision += 1
      const step = call.kind === 'add' ? { ...call.step, id: 'minted' } : undefined
      return { kind: 'agreed', answer: { revision, ...(step === undefined ? {} : { step }) } }
    },
  })
  return {
    editor,
    calls,
    othersSave: (changed: Partial<KeptTour>) => {
      revision += 10
      theirs = { ...tour, ...changed, revision, changedBy: 'clara' }
    },
  }
}

const titles = (editor: ReturnType<typeof createTourEditor>) =>
  editor.read().document.steps.map(({ title }) => title)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('every kind of change', () => {
  test('can be undone and redone, and is saved either way', async () => {
    const { editor, calls } = setUp()
    editor.change({ what: 'the title' }, (it) => changeStep(it, 'a', { title: 'A' }))
    editor.change({ what: 'the order' }, (it) => moveStep(it, 'b', 0))
    editor.change({ what: 'a new step' }, (it) => addStep(it, newStep(editor.newKey(), 'new')))
    expect(titles(editor)).toEqual(['b', 'A', 'new'])
    expect(await settle(editor)).toBe(true)
    expect(calls.map(({ kind }) => kind)).toEqual(['change', 'add', 'reorder'])
    expect([editor.undo(), editor.undo(), editor.undo(), editor.undo()]).toEqual([
      'a new step',
      'the order',
      'the title',
      undefined,
    ])
    expect(titles(editor)).toEqual(['a', 'b'])
    expect(editor.redo()).toBe('the title')
    expect(await settle(editor)).toBe(true)
    expect(calls.slice(3).map(({ kind }) => kind)).toEqual(['remove', 'reorder'])
    expect(editor.read()).toMatchObject({ undoes: 'the title', redoes: 'the order' })
  })
})

describe('when another user saved in the meantime', () => {
  test('changes of different fields are merged without a question', async () => {
    const { editor, othersSave } = setUp()
    othersSave({ label: 'Theirs' })
    editor.change({ what: 'the title' }, (it) => changeStep(it, 'a', { title: 'A' }))
    expect(await settle(editor)).toBe(true)
    expect(editor.read()).toMatchObject({ clashes: [], mergedWith: { name: 'clara' } })
    expect(editor.read().document.label).toBe('Theirs')
    editor.undo()
    expect(editor.read().document).toMatchObject({ label: 'Theirs', steps: [{ title: 'a' }, {}] })
    expect(editor.read().mergedWith).toBeUndefined()
  })

  test.each([
    ['mine', 'Mine', 'Theirs'],
    ['theirs', 'Theirs', 'Mine'],
  ] as const)(
    'a clash waits for a decision; %s gives %s, and undo gives the other',
    async (side, first, second) => {
      const { editor, othersSave } = setUp()
      othersSave({ label: 'Theirs', launch: 'manual' })
      editor.change({ what: 'the name' }, (it) => ({ ...it, label: 'Mine' }))
      expect(await settle(editor)).toBe(false)
      expect(editor.read().clashes).toEqual([{ what: 'Tour name', mine: 'Mine', theirs: 'Theirs' }])
      expect(editor.read().document).toMatchObject({ label: 'Mine', launch: 'auto' })
      editor.decide(side)
      expect(await settle(editor)).toBe(true)
      expect(editor.read().document).toMatchObject({ label: first, launch: 'manual' })
      editor.undo()
      expect(editor.read().document).toMatchObject({ label: second, launch: 'manual' })
      expect(await settle(editor)).toBe(true)
      expect(editor.read().saved.sent.label).toBe(second)
    },
  )

  test('a clash ends when the user undoes the own change of the field', async () => {
    const { editor, othersSave } = setUp()
    othersSave({ label: 'Theirs' })
    editor.change({ what: 'the name' }, (it) => ({ ...it, label: 'Mine' }))
    await settle(editor)
    editor.undo()
    expect(editor.read().clashes).toEqual([])
    expect(await settle(editor)).toBe(true)
    expect(editor.read().document.label).toBe('Theirs')
  })
})

test('a failure is reported, and the local changes stay', async () => {
  const editor = createTourEditor({
    tour,
    send: () => Promise.reject(new ApiFailure({ status: 404, code: 'tour_not_found', message: 'gone' })),
  })
  editor.change({ what: 'the title' }, (it) => changeStep(it, 'a', { title: 'A' }))
  expect(await settle(editor)).toBe(false)
  expect(editor.read()).toMatchObject({ save: { name: 'failed', triesAgain: false } })
  expect(titles(editor)).toEqual(['A', 'b'])
})

async function settle(editor: ReturnType<typeof createTourEditor>): Promise<boolean> {
  const settled = editor.settled()
  // Longer than all pauses of a save.
  await vi.advanceTimersByTimeAsync(60_000)
  return await settled
}
