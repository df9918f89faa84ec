import { describe, expect, test } from 'vitest'
import type { Json } from '../document/json.ts'
import { createDrafts, draftName, type UnsavedWork } from './drafts.ts'
import type { Shelf } from './shelf.ts'

const at = new Date('2026-11-15T12:00:00Z')

function openShelf() {
  const kept = new Map<string, Json>()
  const shelf: Shelf = {
    read(name) {
      const value = kept.get(name)
      return value === undefined ? undefined : { value, at }
    },
    write(name, value) {
      kept.set(name, JSON.parse(JSON.stringify(value)) as Json)
      return true
    },
    remove: (name) => void kept.delete(name),
  }
  return { kept, drafts: createDrafts(shelf) }
}

const definition = { id: 'a', label: 'A', steps: [{ id: 'one', type: 'ai_prompt', problem: 'none' }] }
const work: UnsavedWork = {
  document: { definition, metadata: { layout: { one: { x: 1, y: 2 } } } },
  unread: { text: '{', problem: 'line 1', over: definition },
  revision: 3,
}

describe('drafts', () => {
  test('are read back as written', () => {
    const { drafts } = openShelf()
    drafts.keep('mine', work)
    expect(drafts.find('mine')).toEqual({ ...work, at })
    drafts.forget('mine')
    expect(drafts.find('mine')).toBeNull()
  })

  test('of different accounts, different flows and new flows are separate', () => {
    const names = [
      draftName('ann', { flow: 'a', copyOf: null }),
      draftName('bob', { flow: 'a', copyOf: null }),
      draftName('ann', { flow: 'b', copyOf: null }),
      draftName('ann', { flow: null, copyOf: null }),
      draftName('ann', { flow: null, copyOf: 'a' }),
    ]
    expect(new Set(names).size).toBe(names.length)
  })

  test('that are invalid are not returned', () => {
    const { kept, drafts } = openShelf()
    const { metadata } = work.document
    const broken: Json[] = [
      null,
      'text',
      [],
      {},
      { definition, revision: 1 },
      { definition, metadata, revision: '1' },
      { definition, metadata },
      { definition: { ...definition, steps: [{ id: 'one' }] }, metadata, revision: 1 },
      { definition: { problem: 'x', steps: 1 }, metadata, revision: 1 },
    ]
    for (const value of broken) {
      kept.set('mine', value)
      expect(drafts.find('mine')).toBeNull()
    }
    kept.set('mine', { definition, metadata, revision: null, unread: 'x' })
    expect(drafts.find('mine')).toEqual({ document: work.document, unread: null, revision: null, at })
  })
})
