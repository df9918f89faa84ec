/** Where an address has a page for people as well, caches must tell the two apart; data is always asked for anew. */
export const dataHeaders = { 'cache-control': 'no-store', vary: 'Accept' } as const
