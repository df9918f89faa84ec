/** A database, or a transaction in it. */
export interface Queryable {
  readonly query: <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>
}
