import type { Platform } from './platform.ts'
import type { PlayableTour } from './protocol.ts'
import type { TourRecord, TourStorage } from './tour-storage.ts'

/** What the page states about its visitor: `tuttiTours.identify({ user: '7', attributes: { role: ['editor'] } })`. */
export interface Identity {
  /** An id of the user on this site; null or left out: not known. */
  readonly user?: string | number | null
  readonly attributes?: Readonly<Record<string, AttributeValue | readonly AttributeValue[]>>
}

type AttributeValue = string | number | boolean

/**
 * The visitor of the page: decides which tours they get by themselves, and keeps what they ended, on this device and, for a
 * user that the page names, on all of them. Attributes stay in the page.
 */
export interface Visitor extends TourStorage {
  readonly identify: (identity: Identity) => void
  /** Waits until the page has named the visitor, if it will, and until it is known which tours the user has ended. */
  ready(): Promise<void>
  /** Whether a tour may be offered: its conditions are met, and it is due again if it has ended before. */
  mayGet(tour: PlayableTour): boolean
}

interface VisitorOptions {
  readonly storage: TourStorage
  readonly platform: Pick<Platform, 'visits' | 'sendVisit'>
  /** From the attributes of the player's tag. */
  readonly initial: Identity
  /** Whether the page will call `identify`. */
  readonly isAwaited: boolean
  readonly onChange: () => void
}

/** Longer than a page needs to ask who is signed in. A page that never calls `identify` gets its tours then. */
const identifyMs = 10_000

const dayMs = 86_400_000

export function createVisitor({ storage, platform, initial, isAwaited, onChange }: VisitorOptions): Visitor {
  let user = userOf(initial)
  let attributes = initial.attributes ?? {}
  let ended: Promise<ReadonlyMap<string, TourRecord>> = loadEnded()
  let endedElsewhere: ReadonlyMap<string, TourRecord> = new Map()
  const identified = new AbortController()
  if (isAwaited) setTimeout(() => identified.abort(), identifyMs)
  else identified.abort()

  async function loadEnded(): Promise<ReadonlyMap<string, TourRecord>> {
    const visits = user === undefined ? [] : await platform.visits(user)
    return new Map(visits.map(({ tour, state, ended_at }) => [tour, { state, at: ended_at }]))
  }

  /** Two users of one browser have states of their own. */
  const keyOf = (tour: string) => (user === undefined ? tour : `${hashOf(user)} ${tour}`)

  function of(tour: string): TourRecord | undefined {
    const here = storage.of(keyOf(tour))
    const elsewhere = endedElsewhere.get(tour)
    return elsewhere !== undefined && (here === undefined || here.at < elsewhere.at) ? elsewhere : here
  }

  return {
    of,
    store(tour, record) {
      storage.store(keyOf(tour), record)
      if (user !== undefined && record.state !== 'under_way') platform.sendVisit(user, tour, record.state)
    },
    play: () => storage.play(),
    storePlay: (play) => storage.storePlay(play),
    identify(identity) {
      if (typeof identity !== 'object' || identity === null) return
      const isOther = userOf(identity) !== user
      user = userOf(identity)
      attributes = identity.attributes ?? {}
      if (isOther) {
        endedElsewhere = new Map()
        ended = loadEnded()
      }
      identified.abort()
      onChange()
    },
    async ready() {
      await aborted(identified.signal)
      endedElsewhere = await ended
    },
    mayGet(tour) {
      const { conditions = [], frequency = 'once', days = null } = tour.targeting ?? {}
      if (!conditions.every((condition) => isMet(condition, attributes))) return false
      const record = of(tour.id)
      if (record === undefined || record.state === 'under_way' || frequency === 'always') return true
      return frequency === 'days' && Date.now() - Date.parse(record.at) >= (days ?? 1) * dayMs
    },
  }
}

function userOf({ user }: Identity): string | undefined {
  return user === null || user === undefined || user === '' ? undefined : String(user)
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

type Condition = NonNullable<PlayableTour['targeting']>['conditions'][number]

export function isMet(
  { attribute, operator, values }: Condition,
  attributes: NonNullable<Identity['attributes']>,
): boolean {
  // Names in HTML attributes are in lower case.
  const given = Object.entries(attributes).find(([name]) => name.toLowerCase() === attribute)?.[1] ?? []
  const owned = new Set([given].flat().map((value) => String(value).trim().toLowerCase()))
  const hasOne = values.some((value) => owned.has(value.toLowerCase()))
  return operator === 'is' ? hasOne : !hasOne
}

/** A short name for a user in the storage of the browser, which must not contain the id itself (FNV-1a, 2 × 32 bits). */
function hashOf(user: string): string {
  return [0x811c9dc5, 0x01000193]
    .map((seed) => {
      let hash = seed
      for (const byte of new TextEncoder().encode(user)) hash = Math.imul(hash ^ byte, 0x01000193)
      return (hash >>> 0).toString(36)
    })
    .join('')
}
