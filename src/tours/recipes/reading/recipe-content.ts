import { ArchiveMistake } from '../archives/archive-mistake.ts'
import { textOf } from '../archives/text-of.ts'
import { tuttiFile } from '../build/tutti-json.ts'
import type { Finding } from '../check/findings.ts'
import type { RecipeFile } from '../recipe-tour.ts'
import { readYaml, type YamlContent } from '../yaml/read-yaml.ts'
import { YamlMistake } from '../yaml/yaml-mistake.ts'

/** A file that could be read as what it is. */
export interface ReadFile extends YamlContent {
  readonly path: string
  readonly text: string
}

/** The files of a recipe that say something, read. What could not be read is among the findings. */
export interface RecipeContent {
  readonly recipe: ReadFile | undefined
  readonly composer: ReadFile | undefined
  /** The tours, by the id in the name of their file. */
  readonly tours: readonly (ReadFile & { readonly id: string })[]
  /** Other configuration. */
  readonly others: readonly ReadFile[]
  readonly extras: ReadFile | undefined
  readonly paths: readonly string[]
  readonly findings: readonly Finding[]
}

const tourFile = /^config\/tour\.tour\.(.+)\.yml$/

/** Reads the files of a recipe, each as what its name says it is. */
export function readContent(files: readonly RecipeFile[]): RecipeContent {
  const findings: Finding[] = []
  const read = (file: RecipeFile): ReadFile[] => {
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
