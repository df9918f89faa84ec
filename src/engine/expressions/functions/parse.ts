import { selectAll } from 'css-select'
import { parse as parseCsvText } from 'csv-parse/sync'
import { textContent } from 'domutils'
import { XMLParser } from 'fast-xml-parser'
import { parseDocument } from 'htmlparser2'
import { jsonValueOf } from '../results.ts'
import type { FormatHandlers } from './formats.ts'
import { describeType, invalidValue } from './values.ts'

/** Entries of a list that a text is parsed into. */
const maxEntries = 100_000
const maxDepth = 100

/** The functions of formats. They run in a thread only, where their libraries are loaded. */
export const formatHandlers: FormatHandlers = {
  parseJson,
  toJson: (value) => JSON.stringify(jsonValueOf(value)),
  parseCsv: (text, delimiter) => parseCsv(text, { delimiter }),
  toCsv,
  parseXml,
  parseHtml,
  stripHtml,
}

export function parseJson(text: string): unknown {
  try {
    return requireShallow(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalidValue(`the text is not JSON: ${error.message.slice(0, 200)}`)
  }
}

interface CsvOptions {
  readonly delimiter?: string | undefined
  /** Whether the first line has the names of the fields. Default: true. */
  readonly header?: boolean | undefined
}

/** Objects by the names in the header line; without a header, lists of texts. */
export function parseCsv(text: string, { delimiter = ',', header = true }: CsvOptions): unknown[] {
  if (delimiter.length === 0 || delimiter.length > 10)
    throw invalidValue('a delimiter has 1 to 10 characters')
  try {
    const rows: unknown[] = parseCsvText(text, {
      delimiter,
      columns: header,
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      to: maxEntries + 1,
      max_record_size: 1024 * 1024,
    })
    if (rows.length > maxEntries) throw invalidValue(`the text has more than ${maxEntries} rows`)
    return rows
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_'))
      throw invalidValue(`the text is not CSV: ${error.message.slice(0, 200)}`)
    throw error
  }
}

function toCsv(list: readonly unknown[]): string {
  const rows = list.map((row) => {
    if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row as Record<string, unknown>
    throw invalidValue(`to_csv needs a list of objects, got ${describeType(row)}`)
  })
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => names.map((name) => csvCell(Object.hasOwn(row, name) ? row[name] : null)))
  return [names.map(csvCell), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('')
}

/** Quoted when it has a delimiter, a quote or a line break. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(jsonValueOf(value))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Entities are not expanded, because a short text can define entities that expand to gigabytes. */
export function parseXml(text: string): unknown {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    processEntities: false,
    parseTagValue: false,
    parseAttributeValue: false,
  })
  try {
    return requireShallow(decodeTexts(parser.parse(text, true)))
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error
    throw invalidValue(`the text is not XML: ${error.message.slice(0, 200)}`)
  }
}

const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Replaces the five predefined entities and numbered characters, which do not depend on the document. */
function decodeTexts(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(
      /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
      (whole, name, decimal, hex) => {
        if (name !== undefined) return predefined[name as string] ?? whole
        const code = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10)
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
      },
    )
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) throw tooDeep()
  if (Array.isArray(value)) return value.map((inner) => decodeTexts(inner, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decodeTexts(inner, depth + 1)]))
}

const maxSelector = 500

export function parseHtml(text: string, selector: string): unknown[] {
  if (selector.length > maxSelector) throw invalidValue(`a selector has at most ${maxSelector} characters`)
  const document = parseDocument(text)
  let found: ReturnType<typeof selectAll>
  try {
    found = selectAll(selector, document)
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw invalidValue(`"${selector.slice(0, 100)}" is not a CSS selector`)
  }
  if (found.length > maxEntries) throw invalidValue(`the selector matches more than ${maxEntries} elements`)
  return found.map((element) => {
    const { name = '', attribs = {} } = element as { name?: string; attribs?: Record<string, string> }
    return { name, text: plainText(textContent(element as never)), attributes: { ...attribs } }
  })
}

function stripHtml(text: string): string {
  const document = parseDocument(text)
  for (const hidden of selectAll('script, style, noscript, template, head', document)) {
    const { parent } = hidden as unknown as { parent: { children: unknown[] } | null }
    if (parent !== null) parent.children = parent.children.filter((child) => child !== hidden)
  }
  return plainText(textContent(document))
}

/** Browsers show any white space as one space; empty lines separate blocks. */
function plainText(text: string): string {
  return text
    .split(/\n/)
    .map((line) => line.replaceAll(/[^\S\n]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

function requireShallow(value: unknown): unknown {
  if (isDeeper(value, maxDepth)) throw tooDeep()
  return value
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

function tooDeep() {
  return invalidValue(`the text is nested more than ${maxDepth} levels deep`)
}
