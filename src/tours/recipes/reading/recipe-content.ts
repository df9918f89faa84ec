import { langcodePattern } from '../../tour.ts'
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

/** The configuration of a tour, with the id from its file name. */
export type TourFile = ParsedFile & { readonly id: string }

/** The texts of a tour in another language. */
export type TranslationFile = TourFile & { readonly langcode: string }

/** The parsed files of a recipe. Files that could not be parsed are in the findings. */
export interface RecipeContent {
  /** A recipe; or tours as a site exports its configuration (`drush config:export`), without the files of a recipe. */
  readonly source: 'recipe' | 'configuration'
  readonly recipe: ParsedFile | undefined
  readonly composer: ParsedFile | undefined
  readonly tours: readonly TourFile[]
  readonly translations: readonly TranslationFile[]
  /** Other configuration files. */
  readonly others: readonly ParsedFile[]
  readonly extras: ParsedFile | undefined
  readonly paths: readonly string[]
  readonly findings: readonly Finding[]
}

const tourFiles = {
  recipe: /^config\/tour\.tour\.(.+)\.yml$/,
  // Below the folder `language` are translations.
  configuration: /^(?!(?:.*\/)?language\/)(?:.*\/)?tour\.tour\.([^/]+)\.yml$/,
} as const

const translationFile = /(?:^|\/)language\/([^/]+)\/tour\.tour\.([^/]+)\.yml$/

function sourceOf(paths: readonly string[]): RecipeContent['source'] {
  const isRecipe = ['recipe.yml', 'composer.json', tuttiFile].some((path) => paths.includes(path))
  if (isRecipe || paths.some((path) => tourFiles.recipe.test(path))) return 'recipe'
  return paths.some((path) => tourFiles.configuration.test(path)) ? 'configuration' : 'recipe'
}

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
  const paths = files.map(({ path }) => path)
  const source = sourceOf(paths)
  const tourFile = tourFiles[source]
  const others =
    source === 'configuration'
      ? []
      : files.filter(({ path }) => /^config\/[^/]+\.ya?ml$/.test(path) && !tourFile.test(path))
  return {
    source,
    recipe: named('recipe.yml'),
    composer: named('composer.json'),
    tours: files.flatMap((file) => {
      const id = tourFile.exec(file.path)?.[1]
      return id === undefined ? [] : read(file).map((one) => ({ ...one, id }))
    }),
    translations: files.flatMap((file) => {
      const [, langcode = '', id = ''] = translationFile.exec(file.path) ?? []
      if (!new RegExp(langcodePattern).test(langcode)) return []
      return read(file).map((one) => ({ ...one, id, langcode }))
    }),
    others: others.flatMap(read),
    extras: named(tuttiFile),
    paths,
    findings,
  }
}

function parse(path: string, text: string): YamlContent {
  if (!path.endsWith('.json')) return readYaml(text)
  try {
    return { value: JSON.parse(text), ambiguous: [], lineOf: () => null }
  } catch (error) {
    throw new YamlMistake('This is not valid JSON.', null, { cause: error })
  }
}
