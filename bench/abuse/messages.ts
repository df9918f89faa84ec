/** A request that the abusive account repeats, in this number of concurrent loops. */
export interface AbusiveRequest {
  readonly path: string
  readonly body: object
  readonly loops: number
}

/** Begins the abuse; the message `end` ends it. */
export interface AbuseOptions {
  readonly url: string
  readonly key: string
  readonly requests: readonly AbusiveRequest[]
}

/** The number of responses that the abusive account got, by outcome. */
export interface AbuseReport {
  answered: number
  refused: number
}
