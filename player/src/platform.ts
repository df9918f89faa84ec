import type { Place, PlayableTour } from './protocol.ts'

/** What the player asks of the platform and tells it. A platform that is away or answers nonsense has no tours. */
export interface Platform {
  /** The published tours of a page. */
  toursAt(place: Place): Promise<readonly PlayableTour[]>
  /** One published tour, whatever page it belongs to. */
  tour(id: string): Promise<PlayableTour | undefined>
  /** Sends what happened in a tour; goes on when the page is left. Answers when to try again where it was not taken. */
  tell(tour: string, events: readonly object[]): Promise<number | undefined>
}

/** How long a platform that does not answer is left alone. */
const awayMs = 30_000

/** The longest a platform is left alone, whatever it asks for: a timer of more than 24 days would fire at once. */
const longestAwayMs = 3_600_000

/** `site` is `console` on pages of the console, which has a tour of its own. */
export function connectPlatform({ base, site }: { base: string; site: string | null }): Platform {
  async function ask(query: Record<string, string>): Promise<readonly PlayableTour[]> {
    try {
      const parameters = new URLSearchParams({ ...query, ...(site === null ? {} : { site }) })
      const answer = await fetch(`${base}/tours/published?${parameters}`, {
        credentials: 'omit',
        signal: AbortSignal.timeout(10_000),
      })
      const body: unknown = answer.ok ? await answer.json() : undefined
      return readTours(body)
    } catch {
      return []
    }
  }

  return {
    toursAt: ({ route, path }) => ask({ path, ...(route === null ? {} : { route }) }),
    tour: async (id) => (await ask({ tour: id })).find((tour) => tour.id === id),
    async tell(tour, events) {
      const address = `${base}/api/recipe-tour-builder/tour/${encodeURIComponent(tour)}/event`
      // Not a beacon: those carry cookies, and nobody needs to know who takes a tour.
      try {
        const { status, headers } = await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ events }),
          credentials: 'omit',
          keepalive: true,
        })
        // Anything else it would not take another time either.
        if (status !== 429 && status !== 503) return undefined
        return Math.min(Number(headers.get('retry-after') ?? 0) * 1000, longestAwayMs) || awayMs
      } catch {
        return awayMs
      }
    },
  }
}

function readTours(body: unknown): readonly PlayableTour[] {
  const tours = (body as { tours?: unknown } | undefined)?.tours
  if (!Array.isArray(tours)) return []
  return (tours as readonly PlayableTour[]).filter(({ tips }) => Array.isArray(tips) && tips.length > 0)
}
