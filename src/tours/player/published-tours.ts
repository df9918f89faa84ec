import { type Static, Type } from 'typebox'
import type { Database } from '#kernel/database'
import { cleanBody } from '../content/clean-body.ts'
import { translateTour } from '../content/read-translations.ts'
import { completeTip } from '../store/read-tours.ts'
import { Tour, type Translation } from '../tour.ts'
import { chooseLanguage } from './choose-language.ts'
import { matchesRoute, type PageAddress } from './match-route.ts'

/** A tour as visitors get it, in one language and without its editors. */
export const PublishedTour = Type.Pick(
  Tour,
  ['id', 'label', 'launch', 'routes', 'tips', 'langcode', 'targeting', 'revision'],
  { description: 'A published tour, with its steps in the order they are shown.' },
)
export type PublishedTour = Static<typeof PublishedTour>

export interface Visit {
  readonly site: string
  /** The language of the page. */
  readonly language: string
  /** The origins whose images and videos the site shows. */
  readonly mediaOrigins: readonly string[]
}

/** Stored times are in UTC, in ISO 8601. The platform decides about them: clocks of visitors may be wrong. */
const publishedOn = `
  select id, label, launch, routes, tips, langcode, translations, targeting, revision from tours
  where status and site_id = $1
    and (targeting ->> 'starts_at' is null or (targeting ->> 'starts_at')::timestamptz <= now())
    and (targeting ->> 'ends_at' is null or (targeting ->> 'ends_at')::timestamptz > now())
`

type PublishedRow = PublishedTour & { readonly translations: readonly Translation[] }

/** The published tours of a page of a site, oldest first. */
export async function publishedAt(
  database: Pick<Database, 'query'>,
  visit: Visit,
  page: PageAddress,
): Promise<readonly PublishedTour[]> {
  const rows = await database.query<PublishedRow>(`${publishedOn} order by created_at, id`, [visit.site])
  return rows
    .filter(({ routes }) => routes.some(({ route_name }) => matchesRoute(route_name, page)))
    .map((row) => toPublished(row, visit))
}

/** One published tour of a site by its id, on any page. */
export async function publishedById(
  database: Pick<Database, 'query'>,
  visit: Visit,
  id: string,
): Promise<readonly PublishedTour[]> {
  const rows = await database.query<PublishedRow>(`${publishedOn} and id = $2`, [visit.site, id])
  return rows.map((row) => toPublished(row, visit))
}

function toPublished(
  { translations, ...row }: PublishedRow,
  { language, mediaOrigins }: Visit,
): PublishedTour {
  const langcodes = [row.langcode, ...translations.map(({ langcode }) => langcode)]
  const chosen = chooseLanguage(language, langcodes)
  const tour = translateTour(
    row,
    translations.find(({ langcode }) => langcode === chosen),
  )
  return {
    ...tour,
    tips: tour.tips.map((tip) => {
      const hasMedia = /<(?:img|video)\b/.test(tip.body)
      return { ...completeTip(tip), body: hasMedia ? cleanBody(tip.body, mediaOrigins) : tip.body }
    }),
  }
}
