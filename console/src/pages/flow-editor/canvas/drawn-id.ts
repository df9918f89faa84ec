/**
 * A name the canvas can look up in the page. It does so with selectors that a quotation mark would break, and an ID that is
 * just typing as the id of a step may be anything.
 */
export function drawnId(text: string): string {
  return text.replaceAll(/[^\w-]/g, (character) => `.${character.charCodeAt(0).toString(16)}.`)
}

/** The original ID. */
export function readDrawnId(name: string): string {
  return name.replaceAll(/\.([0-9a-f]+)\./g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
