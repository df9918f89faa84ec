/** A seeded pseudo-random number generator. */
export type Random = (from: number, to: number) => number

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (from, to) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return from + (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (to - from)
  }
}

export function pickOne<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random(0, items.length))]
  if (item === undefined) throw new Error('there is nothing to choose from')
  return item
}
