/** The fields of a node that strategies compare. */
export interface Candidate {
  readonly id: string
  readonly weight: number
  readonly load: {
    /** Requests it is working on. */
    readonly active: number
    readonly expectedWait: {
      /** How long it lately took to begin its answers with this model; undefined when it has not been asked. */
      of(model: string, nowMs: number): number | undefined
    }
  }
}
