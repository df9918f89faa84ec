/** The call that a reservation is for. It is stored with the reservation, to record the call if its process is lost. */
export interface ReservedFor {
  readonly callId: string
  readonly source: string
  readonly provider: string
  readonly model: string
  readonly requestedModel: string
  readonly priceSource: string
  readonly priceVersion: string | null
  /** The number of the attempt, from 1. */
  readonly attempts: number
  readonly tags?: readonly string[] | undefined
}

/** The end of a reservation, written in the commit that records the call, so that budget and record stay consistent. */
export interface Settlement {
  readonly reservationId: string
  readonly callId: string
  readonly microDollars: number
  /** Called after the commit: reserved money has returned. */
  readonly onSettled?: (() => void) | undefined
}

/** Money reserved for one call. `settle` is called once. */
export interface Reservation {
  /**
   * Charges the cost, never more than was reserved, and releases the rest. A budget in the database returns the settlement
   * to write there.
   */
  settle(microDollars: number): Promise<Settlement | undefined>
}

/** The budget that a call is paid from. */
export interface Budget {
  /** The amount in micro-dollars that may be reserved now, where it is known without a request. */
  readonly left?: (() => number) | undefined
  /**
   * Reserves the most a call can cost. May wait for money that is reserved for running calls. Throws the failure for the caller when
   * the budget does not allow the call, and the reason of the signal when it aborts.
   */
  reserve(microDollars: number, reservedFor: ReservedFor, signal?: AbortSignal): Promise<Reservation>
}
