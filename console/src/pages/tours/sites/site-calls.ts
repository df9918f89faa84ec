import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../api/api.ts'
import type { paths } from '../../../api/schema.generated.ts'
import { tourAnswer } from '../list/tour-calls.ts'

const sitePath = '/tours/sites/{site}'

export type Site = paths[typeof sitePath]['get']['responses'][200]['content']['application/json']['site']
export type Environment = Site['environments'][number]

/** All sites that tours can belong to. */
export function sitesQuery(api: Api) {
  return queryOptions({
    queryKey: ['tours', 'sites'],
    queryFn: async ({ signal }) => (await tourAnswer(api.client.GET('/tours/sites', { signal }))).sites,
  })
}

/** The analytics of a site in the last 30 days. */
export function siteAnalyticsQuery(api: Api, site: string) {
  return queryOptions({
    queryKey: ['tours', 'site-analytics', site],
    queryFn: ({ signal }) =>
      tourAnswer(
        api.client.GET('/tours/sites/{site}/analytics', {
          signal,
          params: { path: { site }, query: { timeframe: '30d' } },
        }),
      ),
  })
}

interface SiteFields {
  readonly label: string
  readonly environments: readonly Environment[]
  readonly player: Site['player']
}

export async function createSite(api: Api, { label, environments, player }: SiteFields): Promise<Site> {
  const body = { label, environments: [...environments], player }
  return (await tourAnswer(api.client.POST('/tours/sites', { body }))).site
}

export async function changeSite(api: Api, site: string, fields: SiteFields): Promise<Site> {
  const params = { path: { site } }
  const body = { ...fields, environments: [...fields.environments] }
  return (await tourAnswer(api.client.PUT(sitePath, { params, body }))).site
}

export async function deleteSite(api: Api, site: string): Promise<void> {
  await tourAnswer(api.client.DELETE(sitePath, { params: { path: { site } } }))
}

/** Reads environments as they are written in the form: one per line, name and origin. A lone origin is its own name. */
export function readEnvironments(text: string): Environment[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const origin = line.split(/\s+/).at(-1) ?? ''
      return { name: line.slice(0, line.length - origin.length).trim() || origin.slice(0, 64), origin }
    })
}

export function writeEnvironments(environments: readonly Environment[]): string {
  return environments.map(({ name, origin }) => (name === origin ? origin : `${name} ${origin}`)).join('\n')
}
