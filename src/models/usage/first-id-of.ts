/** The smallest id of a call that started at this time: its first twelve digits are the milliseconds. */
export function firstIdOf(time: Date): string {
  const digits = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}
