import { wrongHere } from '../../errors.ts'
import { mediaTypes, type RecipeFormat, recipeFormats } from '../pack-recipe.ts'

/** What an export is answered with: the file itself, or facts with the address to fetch it from. */
export interface WantedExport {
  readonly format: RecipeFormat
  readonly asBytes: boolean
}

/** Nobody means more than this. */
const mostRanges = 32

/**
 * Reads what a caller accepts. Who names the type of an archive gets the archive; who accepts anything, or JSON as much, gets
 * facts: a recipe as JSON could not be told from them.
 */
export function wantedExport(accept: string | undefined, asked: RecipeFormat | undefined): WantedExport {
  const qualities = readQualities(accept ?? '')
  const json = qualities.get('application/json') ?? 0
  const archives = recipeFormats.filter((format) => {
    const quality = format === 'json' ? 0 : (qualities.get(mediaTypes[format]) ?? 0)
    return quality > 0 && quality > json
  })
  const best = archives.toSorted((one, other) => qualityOf(qualities, other) - qualityOf(qualities, one))[0]
  if (best === undefined) return { format: asked ?? 'zip', asBytes: false }
  if (asked === undefined || archives.includes(asked)) return { format: asked ?? best, asBytes: true }
  const message = `must be ${best}, or not be there: the Accept header asks for ${mediaTypes[best]}`
  throw wrongHere({ path: 'export_format', message, code: 'contradiction' })
}

function qualityOf(qualities: ReadonlyMap<string, number>, format: RecipeFormat): number {
  return qualities.get(mediaTypes[format]) ?? 0
}

function readQualities(accept: string): ReadonlyMap<string, number> {
  return new Map(
    accept.split(',', mostRanges).map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const written = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      const quality = written === undefined ? 1 : Number(written)
      return [type, quality >= 0 && quality <= 1 ? quality : 0]
    }),
  )
}
