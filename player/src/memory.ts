/**
 * What a browser remembers of the tours it saw. The tab's storage holds the play that goes on across its pages; the browser's
 * holds, for each tour:
 *
 * | state       | after                                  | the tour by itself                     |
 * |-------------|----------------------------------------|----------------------------------------|
 * | (none)      | never shown                            | starts or invites, as its `launch` says|
 * | `under_way` | begun, then the tab was left           | offers to go on at that step           |
 * | `completed` | the last step                          | stays away                             |
 * | `dismissed` | closed, or the invitation was declined | stays away                             |
 *
 * `tuttiTours.start(id)` begins a tour whatever is remembered.
 */
export interface Memory {
  of(tour: string): Remembered | undefined
  remember(tour: string, remembered: Remembered): void
  /** The play of this tab, while one goes on. */
  play(): KeptPlay | undefined
  keepPlay(play: KeptPlay | undefined): void
}

interface Remembered {
  readonly state: 'under_way' | 'completed' | 'dismissed'
  /** The step that was shown last. */
  readonly step?: string
  readonly at: string
}

/** A play-through as it travels from page to page. */
export interface KeptPlay {
  readonly tour: string
  /** The number of this play-through, for the analytics. */
  readonly play: string
  readonly step: string
  readonly startedAt: number
  /** What was told already, so that nothing is told twice. */
  readonly told: readonly string[]
}

const toursKey = 'tutti-tours'
const playKey = 'tutti-tours-play'

export function createMemory(): Memory {
  const browser = storageOf('localStorage')
  const tab = storageOf('sessionStorage')
  const tours = () => (browser.read(toursKey) ?? {}) as Readonly<Record<string, Remembered>>
  return {
    of: (tour) => (Object.hasOwn(tours(), tour) ? tours()[tour] : undefined),
    remember: (tour, remembered) => browser.write(toursKey, { ...tours(), [tour]: remembered }),
    play: () => tab.read(playKey) as KeptPlay | undefined,
    keepPlay: (play) => tab.write(playKey, play),
  }
}

/** Storage that a browser refuses, or that holds something else, is as good as empty; then the page itself remembers. */
function storageOf(name: 'localStorage' | 'sessionStorage') {
  const inPage = new Map<string, object | undefined>()
  return {
    read(key: string): object | undefined {
      try {
        const value: unknown = JSON.parse(window[name].getItem(key) ?? 'null')
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
      } catch {
        // Told below: what this page itself put there.
      }
      return inPage.get(key)
    },
    write(key: string, value: object | undefined): void {
      inPage.set(key, value)
      try {
        if (value === undefined) window[name].removeItem(key)
        else window[name].setItem(key, JSON.stringify(value))
      } catch {
        // The page remembers until it is left.
      }
    },
  }
}
