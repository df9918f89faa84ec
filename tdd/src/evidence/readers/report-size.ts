/** The maximum length of a report, in characters. A longer one is a mistake, and reading it would cost seconds and memory. */
export const maxReportCharacters = 32 * 1024 * 1024
