import { isObject, type Json } from '../document/json.ts'

/** Something this browser keeps. */
interface ShelfEntry {
  readonly value: Json
  readonly at: Date
}

/** What this browser keeps under one heading: so many at most, of which the oldest go first. */
export interface Shelf {
  readonly read: (name: string) => ShelfEntry | undefined
  /** False where the browser refuses, also after everything older made space. */
  readonly write: (name: string, value: Json) => boolean
  readonly remove: (name: string) => void
}

interface ShelfOptions {
  /** Asked for each time: a browser that keeps nothing throws already here. */
  readonly storage: () => Storage
  readonly heading: string
  readonly most: number
  readonly now?: () => number
}

export function createShelf({ storage, heading, most, now = Date.now }: ShelfOptions): Shelf {
  const keyOf = (name: string) => `${heading}/${name}`

  function read(name: string): ShelfEntry | undefined {
    try {
      return readEntry(storage().getItem(keyOf(name)))
    } catch {
      return undefined
    }
  }

  /** The keys of all there is, the oldest first; what cannot be read is older than anything. */
  function othersThan(key: string): string[] {
    const kept = storage()
    return Object.keys(kept)
      .filter((it) => it.startsWith(`${heading}/`) && it !== key)
      .map((it) => ({ it, at: readEntry(kept.getItem(it))?.at.getTime() ?? 0 }))
      .toSorted((left, right) => left.at - right.at)
      .map(({ it }) => it)
  }

  return {
    read,
    write(name, value) {
      const key = keyOf(name)
      const text = JSON.stringify({ at: now(), value })
      try {
        const others = othersThan(key)
        for (const old of others.splice(0, Math.max(0, others.length + 1 - most))) storage().removeItem(old)
        for (;;) {
          if (put(storage(), key, text)) return true
          const oldest = others.shift()
          if (oldest === undefined) return false
          storage().removeItem(oldest)
        }
      } catch {
        return false
      }
    },
    remove(name) {
      try {
        storage().removeItem(keyOf(name))
      } catch {
        // A browser that keeps nothing has nothing to remove.
      }
    },
  }
}

function put(storage: Storage, key: string, text: string): boolean {
  try {
    storage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

function readEntry(text: string | null): ShelfEntry | undefined {
  if (text === null) return undefined
  try {
    const entry = JSON.parse(text) as Json
    if (!isObject(entry)) return undefined
    const { at, value } = entry
    return typeof at === 'number' && value !== undefined ? { value, at: new Date(at) } : undefined
  } catch {
    return undefined
  }
}
