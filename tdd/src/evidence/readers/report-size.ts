/** The longest report that is read, in characters. A longer one is not evidence but a mistake, and would cost seconds and memory. */
export const maxReportCharacters = 32 * 1024 * 1024
