/** A text that can do nothing to a terminal but be read: no escape sequences, nothing that writes backwards. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim()
}
