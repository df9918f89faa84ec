import { isObject, type Json } from '../document/json.ts'

/** A value stored in this browser. */
interface ShelfEntry {
  readonly value: Json
  readonly at: Date
}

/** A bounded store in this browser under one key prefix; the oldest entries are dropped first. */
export interface Shelf {
  readonly read: (name: string) => ShelfEntry | undefined
  /** Returns false where the browser refuses to store it, even after all older entries were dropped. */
  readonly write: (name: string, value: Json) => boolean
  readonly remove: (name: string) => void
}

interface ShelfOptions {
  /** A function, because reading `localStorage` throws in a browser that blocks it. */
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

  /** The keys of the other entries, the oldest first; unreadable entries count as oldest. */
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
        // A browser without storage has no entry to remove.
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
