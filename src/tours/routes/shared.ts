import { kernelFailure } from '#kernel/errors'

const all = 'administer recipe tours'

/** The permissions of the tour routes. Any tour permission allows reading; `administer recipe tours` allows everything. */
export const may = {
  read: {
    permission: [
      'create recipe tours',
      'edit recipe tours',
      'delete recipe tours',
      'export recipe tours',
      'view recipe tour analytics',
      all,
    ],
  },
  create: { permission: ['create recipe tours', all] },
  edit: { permission: ['edit recipe tours', all] },
  delete: { permission: ['delete recipe tours', all] },
  export: { permission: ['export recipe tours', all] },
  administer: { permission: [all] },
  seeAnalytics: { permission: ['view recipe tour analytics', all] },
} as const

/** The same URL also has a page, so caches must vary by `Accept`; data is never cached. */
export const dataHeaders = { 'cache-control': 'no-store', vary: 'Accept' } as const

/** The ETag of a revision: `"3"`. */
export function tagOf(revision: number): string {
  return `"${revision}"`
}

/** The expected revision from `If-Match` or from the request; undefined without one. Throws 400 when they differ. */
export function expectedRevision(header: string | undefined, given: number | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return given
  const revision = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1]
  if (revision !== undefined && (given === undefined || given === Number(revision))) return Number(revision)
  const message =
    revision === undefined
      ? 'must be one revision, such as "3"'
      : 'must be the same revision as in the request'
  throw kernelFailure('invalid_input', {
    message: `If-Match ${message}.`,
    problems: [{ path: 'If-Match', message, code: 'revision' }],
  })
}
