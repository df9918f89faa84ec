/** The longest overlap to search for: the text of a model is expected to be shorter. */
const mostOverlap = 20_000

/** Joins the text before the stream was opened and the streamed text: an overlap appears once. */
export function joinTexts(before: string, heard: string): string {
  for (let length = Math.min(before.length, heard.length, mostOverlap); length > 0; length -= 1) {
    if (before.endsWith(heard.slice(0, length))) return before + heard.slice(length)
  }
  return before + heard
}
