import { ArchiveMistake, textOf } from '../archives/archive.ts'
import { tuttiFile } from '../build/tutti-json.ts'
import type { Finding } from '../check/findings.ts'
import type { RecipeFile } from '../recipe-tour.ts'
import { readYaml, type YamlContent, YamlMistake } from '../yaml/read-yaml.ts'

/** A parsed YAML or JSON file. */
export interface ParsedFile extends YamlContent {
  readonly path: string
  readonly text: string
}

/** The parsed files of a recipe. Files that could not be parsed are in the findings. */
export interface RecipeContent {
  readonly recipe: ParsedFile | undefined
  readonly composer: ParsedFile | undefined
  /** The tours, with the id from their file name. */
  readonly tours: readonly (ParsedFile & { readonly id: string })[]
  /** Other configuration files. */
  readonly others: readonly ParsedFile[]
  readonly extras: ParsedFile | undefined
  readonly paths: readonly string[]
  readonly findings: readonly Finding[]
}

const tourFile = /^config\/tour\.tour\.(.+)\.yml$/

/** Parses the files of a recipe by their names. */
export function readContent(files: readonly RecipeFile[]): RecipeContent {
  const findings: Finding[] = []
  const read = (file: RecipeFile): ParsedFile[] => {
    try {
      const text = textOf(file.content, 'The file')
      return [{ path: file.path, text, ...parse(file.path, text) }]
    } catch (error) {
      if (!(error instanceof YamlMistake || error instanceof ArchiveMistake)) throw error
      const line = error instanceof YamlMistake ? error.line : null
      findings.push({
        severity: 'error',
        code: 'unreadable',
        file: file.path,
        path: '',
        line,
        message: error.message,
      })
      return []
    }
  }
  const named = (path: string) => files.filter((file) => file.path === path).flatMap(read)[0]
  const configs = files.filter(({ path }) => /^config\/[^/]+\.ya?ml$/.test(path))
  return {
    recipe: named('recipe.yml'),
    composer: named('composer.json'),
    tours: configs.flatMap((file) => {
      const id = tourFile.exec(file.path)?.[1]
      return id === undefined ? [] : read(file).map((one) => ({ ...one, id }))
    }),
    others: configs.filter(({ path }) => !tourFile.test(path)).flatMap(read),
    extras: named(tuttiFile),
    paths: files.map(({ path }) => path),
    findings,
  }
}

function parse(path: string, text: string): YamlContent {
  if (!path.endsWith('.json')) return readYaml(text)
  try {
    return { value: JSON.parse(text), lineOf: () => null }
  } catch (error) {
    throw new YamlMistake('This is not valid JSON.', null, { cause: error })
  }
}
