import { Lexer } from 'yaml'
import { YamlMistake } from './yaml-mistake.ts'

const mostTokens = 50_000
const deepestBrackets = 32

/**
 * Looks at the words of a file before anything is built from them: some files of a few kilobytes keep a parser busy for
 * minutes. Anchors, aliases and tags are refused here: they let a few bytes stand for gigabytes, or for objects, and no
 * recipe needs them.
 */
export function checkTokens(text: string): void {
  let tokens = 0
  let depth = 0
  let line = 1
  // The word after this mark is a text, whatever it looks like.
  let isText = false
  for (const token of new Lexer().lex(text)) {
    tokens += 1
    if (tokens > mostTokens) throw new YamlMistake('This has more entries than any recipe.', line)
    if (!isText) {
      if (/^[&*]./.test(token)) {
        throw new YamlMistake(
          'Anchors (&) and aliases (*) are not read; write the value where it is used.',
          line,
        )
      }
      if (token.startsWith('!'))
        throw new YamlMistake(`The tag ${short(token)} is not read; write a plain value.`, line)
      if (token === '[' || token === '{') depth += 1
      if (token === ']' || token === '}') depth -= 1
      if (depth > deepestBrackets) throw new YamlMistake('This is nested too deeply.', line)
    }
    isText = token === scalarMark
    line += token.split('\n').length - 1
  }
}

/** What the lexer puts before a text without quotes, and before a block of text. */
const scalarMark = '\u001f'

function short(token: string): string {
  return token.length > 40 ? `${token.slice(0, 37)}…` : token
}
