import { stringify } from 'yaml'

/** Writes YAML that Drupal reads back unchanged: strings are quoted, so that a date stays a string, and lines never folded. */
export function writeYaml(content: ReadonlyMap<string, unknown>): string {
  return stringify(content, {
    lineWidth: 0,
    defaultStringType: 'QUOTE_SINGLE',
    defaultKeyType: 'PLAIN',
    // A string broken over lines loses the spaces at its line ends.
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    // A repeated object would become an anchor, which not every parser supports.
    aliasDuplicateObjects: false,
  })
}
