import { Document, isScalar, visit } from 'yaml'

/** Keys that no parser reads as a number, a date or a boolean. */
const plainKey = /^(?!(?:true|false|null|yes|no|on|off|[yn])$)[a-z]+(?:[._][a-z]+)*$/

/** Writes YAML that Drupal reads back unchanged: strings are quoted, so that a date stays a string, and lines never folded. */
export function writeYaml(content: ReadonlyMap<string, unknown>): string {
  // A repeated object would become an anchor, which not every parser supports.
  const document = new Document(content, { aliasDuplicateObjects: false })
  visit(document, {
    Pair(_index, { key }) {
      // Drupal reads the plain key 1_000 as 1000, and 2026-01-01 as a time.
      if (isScalar(key) && !plainKey.test(String(key.value))) key.type = 'QUOTE_SINGLE'
    },
  })
  return document.toString({
    lineWidth: 0,
    defaultStringType: 'QUOTE_SINGLE',
    defaultKeyType: 'PLAIN',
    // A string broken over lines loses the spaces at its line ends.
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  })
}
