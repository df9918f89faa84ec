import type { Place, PlayableTour, PlayerOfPage } from './protocol.ts'

/** The platform's API for the player. An unreachable platform, or an invalid response, counts as no tours. */
export interface Platform {
  /** The published tours of a page. */
  toursAt(place: Place): Promise<readonly PlayableTour[]>
  /** One published tour by its id, on any page. */
  tour(id: string): Promise<PlayableTour | undefined>
  /** Sends events, even while the page is being left. Returns the milliseconds until a retry when they were not accepted. */
  sendEvents(tour: string, events: readonly object[]): Promise<number | undefined>
  /** The tours that a user of the site has ended, on any device. */
  visits(user: string): Promise<readonly Visit[]>
  /** Tells that a user has ended a tour, even while the page is being left. A lost message costs one more offer. */
  sendVisit(user: string, tour: string, state: Visit['state']): void
}

interface Visit {
  readonly tour: string
  readonly state: 'completed' | 'dismissed'
  readonly ended_at: string
}

/** The retry delay for an unreachable platform. */
const retryMs = 30_000

/** The maximum retry delay: a timer of more than 24 days would fire at once. */
const maxRetryMs = 3_600_000

interface PlatformOptions {
  readonly base: string
  /** The site whose tours are played; null: the default site. */
  readonly site: string | null
  /** The language of the page. */
  readonly language: () => string
  /** Called with each response, before its tours are used. */
  readonly onPlayer: (player: PlayerOfPage) => void
}

export function connectPlatform({ base, site, language, onPlayer }: PlatformOptions): Platform {
  async function fetchTours(query: Record<string, string>): Promise<readonly PlayableTour[]> {
    try {
      const parameters = new URLSearchParams({
        ...query,
        language: language(),
        ...(site === null ? {} : { site }),
      })
      const response = await fetch(`${base}/tours/published?${parameters}`, {
        credentials: 'omit',
        signal: AbortSignal.timeout(10_000),
      })
      const body: unknown = response.ok ? await response.json() : undefined
      const { player } = (body ?? {}) as { player?: PlayerOfPage }
      if (player !== undefined) onPlayer(player)
      return readTours(body)
    } catch {
      return []
    }
  }

  async function postVisit(path: string, body: object): Promise<unknown> {
    const response = await fetch(`${base}/tours/visits${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...(site === null ? {} : { site }) }),
      credentials: 'omit',
      keepalive: true,
      signal: AbortSignal.timeout(10_000),
    })
    return response.ok ? await response.json() : undefined
  }

  return {
    async visits(user) {
      try {
        const { visits } = ((await postVisit('', { user })) ?? {}) as { readonly visits?: unknown }
        return Array.isArray(visits) ? (visits as readonly Visit[]) : []
      } catch {
        return []
      }
    },
    sendVisit: (user, tour, state) => void postVisit('/ended', { user, tour, state }).catch(() => undefined),
    toursAt: ({ route, path }) => fetchTours({ path, ...(route === null ? {} : { route }) }),
    tour: async (id) => (await fetchTours({ tour: id })).find((tour) => tour.id === id),
    async sendEvents(tour, events) {
      const url = `${base}/api/recipe-tour-builder/tour/${encodeURIComponent(tour)}/event`
      // Not a beacon, which would send cookies: visitors stay anonymous.
      try {
        const { status, headers } = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ events }),
          credentials: 'omit',
          keepalive: true,
        })
        // Other errors would not succeed on a retry.
        if (status !== 429 && status !== 503) return undefined
        return Math.min(Number(headers.get('retry-after') ?? 0) * 1000, maxRetryMs) || retryMs
      } catch {
        return retryMs
      }
    },
  }
}

function readTours(body: unknown): readonly PlayableTour[] {
  const tours = (body as { tours?: unknown } | undefined)?.tours
  if (!Array.isArray(tours)) return []
  return (tours as readonly PlayableTour[]).filter(({ tips }) => Array.isArray(tips) && tips.length > 0)
}
