/** Reads a time that has the form of one; undefined for those that no calendar has, such as a leap second. */
export function readMoment(text: string): Date | undefined {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}
