import type { JsonSchema } from '../../providers/provider.ts'
import type { TextAnalysis } from '../analysis/analyse-text.ts'
import { toJson } from './analysis-json.ts'
import { partOf, wantedTypes } from './wanted-types.ts'

/** The same finding in several forms, by their types. The first is the one for a schema that does not say. */
type Forms = readonly (readonly [type: string, value: unknown])[]

/** An object with the properties of the schema that are names of findings; undefined when none of them is. */
export function answerSchema(
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
