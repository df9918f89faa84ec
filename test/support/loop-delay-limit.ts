/** Load shedding is off in tests: their platforms share processors, and often the process, with the tests, so a late event loop is not overload. */
export const loopDelayLimitMs = 60_000
