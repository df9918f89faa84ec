/**
 * An ID that is safe in a selector. The canvas looks up elements by selectors, which a quotation mark would break, and
 * a step ID that is still being typed may contain any character.
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
