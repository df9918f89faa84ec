import type { ExpressionFunction } from './values.ts'

/** Parses and writes formats. */
export interface FormatHandlers {
  readonly parseJson: (text: string) => unknown
  readonly toJson: (value: unknown) => string
  readonly parseCsv: (text: string, delimiter?: string) => unknown
  readonly toCsv: (list: readonly unknown[]) => string
  readonly parseXml: (text: string) => unknown
  readonly parseHtml: (text: string, selector: string) => unknown
  readonly stripHtml: (text: string) => string
}

/** The functions of formats. Their libraries are loaded in threads only, so that other processes have the signatures without them. */
export function formatFunctions(handlers: FormatHandlers): readonly ExpressionFunction[] {
  return [
    {
      signature: 'parse_json(string): dyn',
      description: 'The value of a JSON text.',
      handler: handlers.parseJson,
    },
    {
      signature: 'to_json(dyn): string',
      description: 'The value as a JSON text.',
      handler: handlers.toJson,
    },
    {
      signature: 'parse_csv(string): list<dyn>',
      description: 'The rows of a CSV text with a header line, as objects.',
      handler: handlers.parseCsv,
    },
    {
      signature: 'parse_csv(string, string): list<dyn>',
      description: 'The same with another delimiter, such as `";"`.',
      handler: handlers.parseCsv,
    },
    {
      signature: 'to_csv(list): string',
      description: 'A CSV text with a header line, from a list of objects.',
      handler: handlers.toCsv,
    },
    {
      signature: 'parse_xml(string): dyn',
      description:
        'The elements of an XML text as objects. Names of attributes start with `@`; `#text` is the text beside them.',
      handler: handlers.parseXml,
    },
    {
      signature: 'parse_html(string, string): list<dyn>',
      description: 'The elements that match a CSS selector, each with `name`, `text` and `attributes`.',
      handler: handlers.parseHtml,
    },
    {
      signature: 'strip_html(string): string',
      description: 'The text of an HTML page, without scripts and styles.',
      handler: handlers.stripHtml,
    },
  ]
}

function runsInThread(): never {
  throw new Error('formats are parsed in a thread')
}

/** In place of the functions, where expressions are only checked, or evaluated without function calls. */
export const noFormatHandlers: FormatHandlers = {
  parseJson: runsInThread,
  toJson: runsInThread,
  parseCsv: runsInThread,
  toCsv: runsInThread,
  parseXml: runsInThread,
  parseHtml: runsInThread,
  stripHtml: runsInThread,
}
