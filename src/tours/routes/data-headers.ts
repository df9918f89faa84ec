/** The same URL also has a page, so caches must vary by `Accept`; data is never cached. */
export const dataHeaders = { 'cache-control': 'no-store', vary: 'Accept' } as const
