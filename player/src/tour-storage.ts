/**
 * The state of tours in the browser. Session storage contains the play that continues across the pages of a tab; local
 * storage contains, for each tour:
 *
 * | state       | after                                  | automatic behaviour                    |
 * |-------------|----------------------------------------|----------------------------------------|
 * | (none)      | never shown                            | starts or invites, by its `launch`     |
 * | `under_way` | started, then the tab was left         | offers to resume at that step          |
 * | `completed` | the last step                          | not shown again                        |
 * | `dismissed` | closed, or the invitation was declined | not shown again                        |
 *
 * `tuttiTours.start(id)` starts a tour in any state. The stored names `under_way` and `told` stay as they are: browsers
 * of visitors have them.
 */
export interface TourStorage {
  of(tour: string): TourRecord | undefined
  store(tour: string, record: TourRecord): void
  /** The current play of this tab. */
  play(): StoredPlay | undefined
  storePlay(play: StoredPlay | undefined): void
}

export interface TourRecord {
  readonly state: 'under_way' | 'completed' | 'dismissed'
  /** The last step shown. */
  readonly step?: string
  readonly at: string
}

/** The state of a play across pages. */
export interface StoredPlay {
  readonly tour: string
  /** The id of the play for analytics. */
  readonly play: string
  readonly step: string
  /** The path of the page on which the step was shown; absent while the step is on another page. */
  readonly path?: string | undefined
  readonly startedAt: number
  /** The recorded events, so that each is recorded once. */
  readonly told: readonly string[]
}

const toursKey = 'tutti-tours'
const playKey = 'tutti-tours-play'

export function createTourStorage(): TourStorage {
  const browser = storageOf('localStorage')
  const tab = storageOf('sessionStorage')
  const tours = () => (browser.read(toursKey) ?? {}) as Readonly<Record<string, TourRecord>>
  return {
    of: (tour) => (Object.hasOwn(tours(), tour) ? tours()[tour] : undefined),
    store: (tour, record) => browser.write(toursKey, { ...tours(), [tour]: record }),
    play: () => tab.read(playKey) as StoredPlay | undefined,
    storePlay: (play) => tab.write(playKey, play),
  }
}

/** Storage that the browser blocks, or with unexpected content, counts as empty; the page then keeps the state in memory. */
function storageOf(name: 'localStorage' | 'sessionStorage') {
  const inPage = new Map<string, object | undefined>()
  return {
    read(key: string): object | undefined {
      try {
        const value: unknown = JSON.parse(window[name].getItem(key) ?? 'null')
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
      } catch {
        // Falls back to the value in memory.
      }
      return inPage.get(key)
    },
    write(key: string, value: object | undefined): void {
      inPage.set(key, value)
      try {
        if (value === undefined) window[name].removeItem(key)
        else window[name].setItem(key, JSON.stringify(value))
      } catch {
        // The value stays in memory until the page is left.
      }
    },
  }
}
