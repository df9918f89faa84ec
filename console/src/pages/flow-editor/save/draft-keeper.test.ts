import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setFlowValue } from '../document/edits.ts'
import { emptyDocument } from '../document/flow-document.ts'
import { createFlowEditor } from '../document/flow-editor.ts'
import type { UnsavedWork } from './drafts.ts'
import { createDraftKeeper } from './use-draft.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open({ refuses = false } = {}) {
  const kept = new Map<string, UnsavedWork>()
  const told: boolean[] = []
  let writes = 0
  const editor = createFlowEditor({ saved: emptyDocument })
  const keeper = createDraftKeeper({
    editor,
    name: 'mine',
    base: () => 7,
    onKept: (isKept) => told.push(isKept),
    drafts: {
      find: () => null,
      keep(name, work) {
        writes += 1
        if (!refuses) kept.set(name, work)
        return !refuses
      },
      forget: (name) => void kept.delete(name),
    },
  })
  const label = (text: string) =>
    editor.change({ what: 'the label' }, (document) => setFlowValue(document, ['label'], text))
  return { editor, keeper, kept, told, label, writes: () => writes }
}

describe('a draft', () => {
  test('is stored a moment after a change, once for many changes', () => {
    const { label, kept, writes, told } = open()
    label('A')
    label('AB')
    expect(writes()).toBe(0)
    vi.runAllTimers()
    expect(kept.get('mine')).toMatchObject({ document: { definition: { label: 'AB' } }, revision: 7 })
    expect(writes()).toBe(1)
    expect(told).toEqual([true])
  })

  test('is stored at once on leaving, and not again without a change', () => {
    const { label, keeper, kept, writes } = open()
    label('A')
    expect(keeper.keepNow()).toBe(true)
    expect(kept.has('mine')).toBe(true)
    keeper.keepNow()
    vi.runAllTimers()
    expect(writes()).toBe(1)
  })

  test('is stored with invalid code', () => {
    const { editor, keeper, kept } = open()
    editor.keepUnread({ text: '{', problem: 'line 1', over: emptyDocument.definition })
    keeper.keepNow()
    expect(kept.get('mine')?.unread?.text).toBe('{')
  })

  test('is removed when it equals the saved flow', () => {
    const { editor, label, kept } = open()
    label('A')
    vi.runAllTimers()
    editor.undo()
    vi.runAllTimers()
    expect(kept.size).toBe(0)
  })

  test('stays removed until the next change', () => {
    const { label, keeper, kept } = open()
    label('A')
    keeper.forget()
    vi.runAllTimers()
    keeper.stop()
    expect(kept.size).toBe(0)
  })

  test('is stored again when another window discarded it, unless it was discarded here', () => {
    const { label, keeper, kept } = open()
    keeper.keepAgain()
    expect(kept.size).toBe(0)
    label('A')
    keeper.keepNow()
    kept.clear()
    keeper.keepAgain()
    expect(kept.has('mine')).toBe(true)
    keeper.forget()
    keeper.keepAgain()
    expect(kept.size).toBe(0)
  })

  test('is stored a last time at the end', () => {
    const { label, keeper, kept } = open()
    label('A')
    keeper.stop()
    label('B')
    vi.runAllTimers()
    expect(kept.get('mine')?.document.definition.label).toBe('A')
  })

  test('that the browser refuses to store is reported', () => {
    const { label, keeper, told } = open({ refuses: true })
    label('A')
    expect(keeper.keepNow()).toBe(false)
    expect(keeper.keepNow()).toBe(false)
    expect(told).toEqual([false])
  })
})
