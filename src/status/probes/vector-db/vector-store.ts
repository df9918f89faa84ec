/** A server of vectors that an operator named. */
export interface VectorStore {
  readonly url: string
  readonly apiKey: string | undefined
}
