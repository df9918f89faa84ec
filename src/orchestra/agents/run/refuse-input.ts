import type { TextAnalysis } from '#models'
import { invalid, type WorkOrder } from './work-order.ts'

/** Before anything is read: a text that is too long is not even measured. */
export function refuseLength({ agent: { id, definition }, input }: WorkOrder): void {
  const { max_input_length: most } = definition.configuration
  if (input.length <= most) return
  throw invalid(`"${id}" takes ${most} characters at most, and the input has ${input.length}.`, {
    agent: id,
    characters: input.length,
    max_input_length: most,
  })
}

/** Throws INVALID_STEP for an input of a type or in a language that the agent does not work on. */
export function refuseKind(
  { agent: { id, definition }, input }: WorkOrder,
  { structure, language }: Pick<TextAnalysis, 'structure' | 'language'>,
): void {
  const { input_types: types, supported_languages: languages } = definition
  const type = typeOf(input, structure.format)
  const isTaken = types.some((taken) => taken === type || (taken === 'markdown' && type === 'text'))
  if (!isTaken) {
    throw invalid(`"${id}" works on ${types.join(', ')}, and the input is ${type}.`, {
      agent: id,
      input_types: types,
      found: type,
    })
  }
  if (languages.includes('*') || language?.reliable !== true || languages.includes(language.code)) return
  throw invalid(`"${id}" works on texts in ${languages.join(', ')}, and the input is ${language.name}.`, {
    agent: id,
    supported_languages: languages,
    found: language.code,
  })
}

/** Plain text and Markdown are both `text`: one can always be read as the other. */
function typeOf(input: string, format: 'html' | 'markdown'): 'json' | 'html' | 'text' {
  if (/^\s*[[{]/.test(input) && isJson(input)) return 'json'
  return format === 'html' ? 'html' : 'text'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
