import { stringify } from 'yaml'

/**
 * YAML that the content management system reads as what was written: texts in quotes, so that a date stays a text, and
 * no line folded. Maps keep their order, whatever their keys look like.
 */
export function writeYaml(content: ReadonlyMap<string, unknown>): string {
  return stringify(content, {
    lineWidth: 0,
    defaultStringType: 'QUOTE_SINGLE',
    defaultKeyType: 'PLAIN',
    // Broken over lines, a text that ends a line with spaces comes back changed.
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    // The same object twice would become an anchor, which not every reader follows.
    aliasDuplicateObjects: false,
  })
}
