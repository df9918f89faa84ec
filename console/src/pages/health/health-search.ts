import { readPage, readText } from '../../parts/read-search.ts'

/** The time ranges of the history; a day is the default. */
export const healthRanges = [
  { name: '24h', title: '24 hours' },
  { name: '30d', title: '30 days' },
  { name: '90d', title: '90 days' },
] as const

export type HealthRange = (typeof healthRanges)[number]['name']

export const usualHealthRange: HealthRange = '24h'

/** The search parameters of the Health page: the time range, the incident filter, and the open drawer. */
export interface HealthSearch {
  range?: HealthRange
  incidents?: 'open' | 'closed'
  page?: number
  service?: string
  incident?: string
  create?: 'incident' | 'maintenance'
  configure?: true
}

const names = /^[a-z0-9_-]{1,64}$/i

/** Parses the search parameters and drops invalid values. */
export function readHealthSearch(address: Record<string, unknown>): HealthSearch {
  const range = healthRanges.find(({ name }) => name === address['range'] && name !== usualHealthRange)?.name
  const { incidents, create } = address
  const page = readPage(address['page'])
  return {
    ...(range === undefined ? {} : { range }),
    ...(incidents === 'open' || incidents === 'closed' ? { incidents } : {}),
    ...(page === undefined ? {} : { page }),
    ...readName('service', address['service']),
    ...readName('incident', address['incident']),
    ...(create === 'incident' || create === 'maintenance' ? { create } : {}),
    ...(address['configure'] === true ? { configure: true } : {}),
  }
}

function readName<Key extends 'service' | 'incident'>(key: Key, value: unknown): { [key in Key]?: string } {
  const name = readText(value)
  return name === undefined || !names.test(name) ? {} : ({ [key]: name } as { [key in Key]: string })
}

/** The search parameters of the list without an open drawer. */
export function withoutDialog(search: HealthSearch): HealthSearch {
  const { service: _, incident: __, create: ___, configure: ____, ...list } = search
  return list
}
