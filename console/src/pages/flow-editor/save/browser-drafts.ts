import { createDrafts, type Drafts } from './drafts.ts'
import { createShelf } from './shelf.ts'

const mostDrafts = 20

/** The drafts that this browser keeps. */
export function browserDrafts(): Drafts {
  return createDrafts(
    createShelf({ storage: () => window.localStorage, heading: 'tutti-flow-drafts', most: mostDrafts }),
  )
}
