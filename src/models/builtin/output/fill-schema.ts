import type { JsonSchema } from '../../providers/provider.ts'
import type { TextAnalysis } from '../analysis/analyse-text.ts'
import { toJson } from './analysis-json.ts'

/** A finding in several forms, by type. The first one is the default. */
type Forms = readonly (readonly [type: string, value: unknown])[]

/** An object with the properties of the schema that name findings; undefined when there is none. */
export function fillSchema(
  analysis: TextAnalysis,
  schema: JsonSchema,
): Readonly<Record<string, unknown>> | undefined {
  const { properties } = partOf(schema, schema)
  if (typeof properties !== 'object' || properties === null) return undefined
  const findings = formsOf(analysis)
  const answer = Object.entries(properties).flatMap(([name, part]): [string, unknown][] => {
    const forms = findings.get(name)
    return forms === undefined ? [] : [[name, choose(forms, wantedTypes(schema, part))]]
  })
  return answer.length === 0 ? undefined : Object.fromEntries(answer)
}

function choose(forms: Forms, wanted: ReadonlySet<string>): unknown {
  const fitting = forms.find(
    ([type]) => wanted.has(type) || (type.startsWith('array') && wanted.has('array of anything')),
  )
  return (fitting ?? forms[0])?.[1]
}

/**
 * | property                            | forms                                          |
 * |-------------------------------------|------------------------------------------------|
 * | language                            | object, code                                   |
 * | summary                             | text, list of sentences                        |
 * | key_phrases, keywords               | list of objects, list of texts, text           |
 * | readability, seo                    | object, score                                  |
 * | sentiment                           | object, label, score                           |
 * | structure, counts                   | object                                         |
 * | word_count, sentence_count, reading_seconds | number                                 |
 */
function formsOf(analysis: TextAnalysis): ReadonlyMap<string, Forms> {
  const { counts, language, readability, sentiment, seo, keyPhrases, summary } = analysis
  const json = toJson(analysis, [])
  const phrases = keyPhrases.map(({ phrase }) => phrase)
  const keywords: Forms = [
    ['array of object', json['key_phrases']],
    ['array of string', phrases],
    ['string', phrases.join(', ')],
  ]
  return new Map<string, Forms>([
    [
      'language',
      [
        ['object', json['language']],
        ['string', language?.code ?? null],
      ],
    ],
    [
      'summary',
      [
        ['string', summary.join(' ')],
        ['array of string', summary],
      ],
    ],
    ['key_phrases', keywords],
    ['keywords', keywords],
    [
      'readability',
      [
        ['object', json['readability']],
        ['number', readability?.score ?? null],
      ],
    ],
    [
      'sentiment',
      [
        ['object', json['sentiment']],
        ['string', sentiment?.label ?? null],
        ['number', sentiment?.score ?? null],
      ],
    ],
    [
      'seo',
      [
        ['object', json['seo']],
        ['number', seo?.score ?? null],
      ],
    ],
    ['structure', [['object', json['structure']]]],
    ['counts', [['object', json['counts']]]],
    ['word_count', [['number', counts.words]]],
    ['sentence_count', [['number', counts.sentences]]],
    ['reading_seconds', [['number', counts.readingSeconds]]],
  ])
}

/** The bound on chained references. */
const maxReferences = 20

/** A part of a schema, with references resolved. */
function partOf(schema: JsonSchema, part: unknown): JsonSchema {
  let found = part
  for (let step = 0; step < maxReferences; step++) {
    if (!isSchema(found)) return {}
    const reference = found['$ref']
    if (typeof reference !== 'string') return found
    found = reference
      .replace(/^#\/?/, '')
      .split('/')
      .filter((name) => name !== '')
      .reduce<unknown>(
        (inner, name) =>
          isSchema(inner) ? Object.entries(inner).find(([key]) => key === name)?.[1] : undefined,
        schema,
      )
  }
  return {}
}

/** The JSON types that a part of a schema allows; arrays with the type of their items. */
function wantedTypes(schema: JsonSchema, part: unknown): ReadonlySet<string> {
  const types = new Set<string>()
  for (const found of alternativesOf(schema, part)) {
    for (const type of plainTypes(found)) {
      if (type !== 'array') types.add(type)
      else for (const inner of itemTypes(schema, found['items'])) types.add(`array of ${inner}`)
    }
  }
  return types
}

function itemTypes(schema: JsonSchema, items: unknown): readonly string[] {
  const types = alternativesOf(schema, items).flatMap(plainTypes)
  return types.length === 0 ? ['anything'] : types
}

/** The part and its alternatives, each once, because they may refer to each other. */
function alternativesOf(schema: JsonSchema, part: unknown): JsonSchema[] {
  const found = new Set([partOf(schema, part)])
  for (const each of found) {
    for (const inner of [each['anyOf'], each['oneOf'], each['allOf']]) {
      if (Array.isArray(inner)) for (const alternative of inner) found.add(partOf(schema, alternative))
    }
  }
  return [...found]
}

function plainTypes(schema: JsonSchema): string[] {
  const named = [schema['type']].flat().filter((type) => typeof type === 'string')
  if (named.length > 0) return named.map((type) => (type === 'integer' ? 'number' : type))
  const values = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const']] : []
  return values.map((value) => (value === null ? 'null' : typeof value))
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
