/** The version of the hook that `init` writes into projects, and the oldest tool that understands it. */
export const hookVersion = '2.2.0'
export const neededToolVersion = '2.2.0'
