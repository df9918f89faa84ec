import { describe, expect, test } from 'vitest'
import { createShelf } from './shelf.ts'

/** A browser storage with limited space, in characters. */
function createStorage(space = Number.POSITIVE_INFINITY): Storage {
  const kept = new Map<string, string>()
  const taken = () => [...kept].reduce((sum, [key, text]) => sum + key.length + text.length, 0)
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, text: string) {
      const before = kept.get(key)
      kept.set(key, text)
      if (taken() <= space) return
      if (before === undefined) kept.delete(key)
      else kept.set(key, before)
      throw new DOMException('full', 'QuotaExceededError')
    },
    removeItem: (key: string) => kept.delete(key),
  }
  return new Proxy(storage as unknown as Storage, {
    ownKeys: () => [...kept.keys()],
    getOwnPropertyDescriptor: (_, key) => ({
      value: kept.get(String(key)),
      enumerable: true,
      configurable: true,
    }),
  })
}

function openShelf(storage: () => Storage, most = 3) {
  let time = 0
  return createShelf({
    storage,
    heading: 'drafts',
    most,
    now: () => {
      time += 1
      return time
    },
  })
}

describe('a shelf', () => {
  test('returns stored values with their time', () => {
    const storage = createStorage()
    const shelf = openShelf(() => storage)
    expect(shelf.read('a')).toBeUndefined()
    expect(shelf.write('a', { x: 1 })).toBe(true)
    expect(shelf.read('a')).toEqual({ value: { x: 1 }, at: new Date(1) })
    shelf.remove('a')
    expect(shelf.read('a')).toBeUndefined()
  })

  test('has a maximum size, and drops the oldest entries', () => {
    const storage = createStorage()
    storage.setItem('theme', 'dark')
    const shelf = openShelf(() => storage)
    for (const name of ['a', 'b', 'c']) shelf.write(name, name)
    shelf.write('a', 'again')
    shelf.write('d', 'd')
    expect(['a', 'b', 'c', 'd'].map((name) => shelf.read(name)?.value)).toEqual([
      'again',
      undefined,
      'c',
      'd',
    ])
    expect(storage.getItem('theme')).toBe('dark')
  })

  test('drops the oldest entries when storage is full, and keeps its entry when that is not enough', () => {
    const storage = createStorage(200)
    const shelf = openShelf(() => storage)
    shelf.write('a', 'x'.repeat(60))
    shelf.write('b', 'y'.repeat(60))
    expect(shelf.write('b', 'z'.repeat(120))).toBe(true)
    expect(shelf.read('a')).toBeUndefined()
    expect(shelf.write('b', 'z'.repeat(300))).toBe(false)
    expect(shelf.read('b')?.value).toBe('z'.repeat(120))
  })

  test('ignores unreadable entries in the storage', () => {
    const storage = createStorage()
    const shelf = openShelf(() => storage)
    for (const foreign of ['{', 'null', '[]', '{"at":"now","value":1}', '{"at":1}']) {
      storage.setItem('drafts/a', foreign)
      expect(shelf.read('a')).toBeUndefined()
    }
    expect(shelf.write('b', 1)).toBe(true)
  })

  test('reports a browser without storage', () => {
    const shelf = openShelf(() => {
      throw new DOMException('no', 'SecurityError')
    })
    expect(shelf.read('a')).toBeUndefined()
    expect(shelf.write('a', 1)).toBe(false)
    shelf.remove('a')
  })
})
