import { expect, test } from 'vitest'
import { createViewStore } from './saved-views.ts'

function memory(given: Record<string, string> = {}): Storage {
  const items = new Map(Object.entries(given))
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  } as Storage
}

test('keeps the views of each account, replaces a name and removes it', () => {
  const storage = memory()
  const views = createViewStore(() => storage, 'one')
  expect(views.read()).toEqual([])
  views.save({ name: ' Mine ', search: { status: 'failed' } })
  views.save({ name: 'Mine', search: { status: 'running' } })
  views.save({ name: 'Slow', search: { sort: '-duration' } })
  expect(views.read()).toEqual([
    { name: 'Mine', search: { status: 'running' } },
    { name: 'Slow', search: { sort: '-duration' } },
  ])
  expect(createViewStore(() => storage, 'other').read()).toEqual([])
  views.remove('Mine')
  expect(views.read().map(({ name }) => name)).toEqual(['Slow'])
})

test('keeps twenty views', () => {
  const storage = memory()
  const views = createViewStore(() => storage, 'one')
  for (let index = 0; index < 25; index += 1) views.save({ name: `View ${index}`, search: {} })
  expect(views.read()).toHaveLength(20)
  expect(views.read()[0]?.name).toBe('View 5')
})

test('drops what it cannot read, and says when the browser refuses', () => {
  const stored = JSON.stringify([{ name: 'Odd', search: { status: 'odd', min: 2 } }, 7, { name: '' }])
  const views = createViewStore(() => memory({ 'tutti-execution-views/one': stored }), 'one')
  expect(views.read()).toEqual([{ name: 'Odd', search: { min: 2 } }])
  const blocked = createViewStore(() => {
    throw new Error('blocked')
  }, 'one')
  expect(blocked.read()).toEqual([])
  expect(blocked.save({ name: 'Mine', search: {} })).toBe(false)
})
