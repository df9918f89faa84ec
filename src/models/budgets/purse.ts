/** What the money is for, kept beside it: should the process be lost, this is all that is known of the call. */
export interface ReservedFor {
  readonly callId: string
  readonly source: string
  readonly provider: string
  readonly model: string
  readonly requestedModel: string
  readonly priceSource: string
  readonly priceVersion: string | null
  /** Which of those asked for the call, from 1. */
  readonly attempts: number
}

/** What is written in the commit that records a call, so that money and record cannot come apart. */
export interface Settlement {
  readonly reservationId: string
  readonly callId: string
  readonly microDollars: number
}

/** Money that was set aside for one call. Its end is called once. */
export interface Reservation {
  /**
   * The call cost this much, never more than was reserved; the rest is free again. A purse that keeps its money in the
   * database answers with what is to be written there.
   */
  settle(microDollars: number): Promise<Settlement | undefined>
}

/** Where the money of a call comes from. */
export interface Purse {
  /** Sets the most a call can cost aside. Throws the failure the caller is to see when there is not enough. */
  reserve(microDollars: number, reservedFor: ReservedFor): Promise<Reservation>
}
