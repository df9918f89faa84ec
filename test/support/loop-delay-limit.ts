/** Servers of tests share the event loop of the test on machines with much else to do: its delay is not their overload. */
export const loopDelayLimitMs = 60_000
