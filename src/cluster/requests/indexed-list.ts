/** An item that is in one list at a time. */
export interface Indexed {
  /** Belongs to the list: -1 when the item is in none. */
  index: number
}

/**
 * A list whose items know their place, so that adding and removing cost the same for any length. It has no order. Not a set: the entries of
 * a set would promote whole finished requests into the old generation of the heap.
 */
export class IndexedList<Item extends Indexed> {
  readonly #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  add(item: Item): void {
    if (item.index === -1) item.index = this.#items.push(item) - 1
  }

  delete(item: Item): void {
    const { index } = item
    if (index === -1) return
    item.index = -1
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    this.#items[index] = last
    last.index = index
  }

  /** The items that match, as a list of their own, because callbacks may change this one. */
  filter(matches: (item: Item) => boolean): Item[] {
    return this.#items.filter(matches)
  }

  clear(): void {
    for (const item of this.#items.splice(0)) item.index = -1
  }
}
