interface TtlCacheOptions<Key, Value> {
  readonly keepMs: number
  readonly nameOf: (key: Key) => string
  readonly load: (key: Key) => Promise<Value>
  readonly now?: () => number
}

interface TtlCache<Key, Value> {
  (key: Key): Promise<Value>
  /** Drops the value of this name; without a name, all values. */
  forget(name?: string): void
}

/** Beyond this many values the oldest is dropped. */
const maxValues = 10_000

/** Caches the result of an asynchronous look-up for `keepMs`. A failed look-up is not cached. */
export function createTtlCache<Key, Value>({
  keepMs,
  nameOf,
  load,
  now = () => performance.now(),
}: TtlCacheOptions<Key, Value>): TtlCache<Key, Value> {
  const kept = new Map<string, { readonly value: Promise<Value>; readonly until: number }>()

  function read(key: Key): Promise<Value> {
    const name = nameOf(key)
    const known = kept.get(name)
    if (known !== undefined && known.until > now()) return known.value
    const value = load(key)
    const entry = { value, until: now() + keepMs }
    kept.delete(name)
    kept.set(name, entry)
    if (kept.size > maxValues) kept.delete(kept.keys().next().value ?? '')
    value.catch(() => {
      if (kept.get(name) === entry) kept.delete(name)
    })
    return value
  }

  return Object.assign(read, {
    forget(name?: string) {
      if (name === undefined) kept.clear()
      else kept.delete(name)
    },
  })
}
